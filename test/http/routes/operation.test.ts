import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createHttpFixture, type HttpFixture, JSON_TYPE, NDJSON, TEXT } from '../../support/http/http-fixture.ts';

describe('health', () => {
  it('is ready only when open and undamaged; a full disk is said but is no reason to go elsewhere', async () => {
    const fixture = await createHttpFixture();
    const ready = async () => {
      const answer = await fixture.app.inject('/health/ready');
      return [answer.statusCode, answer.json().checks];
    };
    expect(await ready()).toEqual([200, { phase: 'ready', undamaged: true, writable: true }]);
    fixture.probes.writable = false;
    expect(await ready()).toEqual([200, { phase: 'ready', undamaged: true, writable: false }]);
    fixture.probes.damaged = true;
    expect(await ready()).toEqual([503, { phase: 'ready', undamaged: false, writable: false }]);
    fixture.probes.damaged = false;
    fixture.lifecycle.phase = 'opening';
    expect(await ready()).toEqual([503, { phase: 'opening', undamaged: true, writable: false }]);
    expect((await fixture.app.inject('/health/live')).json()).toEqual({ status: 'live' });
    await fixture.close();
  });
});

describe('metrics', () => {
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await createHttpFixture();
  });
  afterAll(() => fixture.close());

  /** The samples of /metrics by name and labels. */
  async function samples(from: HttpFixture = fixture): Promise<Map<string, number>> {
    const { body } = await from.app.inject('/metrics');
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  }

  it('count what happens', async () => {
    const text = createTextMaker(3).text(100);
    const bulk = [
      { op: 'put', url: 'https://b.example/', text },
      { op: 'put', url: 'x', text },
    ];
    await fixture.app.inject({ method: 'PUT', url: '/documents?url=https://a.example/', payload: text, headers: TEXT });
    await fixture.app.inject({
      method: 'POST',
      url: '/documents',
      payload: bulk.map((line) => JSON.stringify(line)).join('\n'),
      headers: NDJSON,
    });
    await fixture.app.inject({ method: 'POST', url: '/similar', payload: text, headers: TEXT });
    await fixture.app.inject({ method: 'POST', url: '/similar', payload: '{', headers: JSON_TYPE });
    const batch = `${JSON.stringify({ document: { text } })}\n{`;
    await fixture.app.inject({ method: 'POST', url: '/similar', payload: batch, headers: NDJSON });
    const seen = await samples();
    expect(
      Object.fromEntries(
        [...seen].filter(
          ([name]) => name.startsWith('shingled_') && !name.includes('_bucket') && !name.includes('_sum'),
        ),
      ),
    ).toMatchObject({
      'shingled_documents_total{result="created"}': 2,
      'shingled_documents_total{result="invalid-url"}': 1,
      shingled_matches_count: 2,
      'shingled_http_request_duration_seconds_count{method="POST",route="/similar",status_code="200"}': 2,
      'shingled_http_request_duration_seconds_count{method="POST",route="/similar",status_code="400"}': 1,
      'shingled_http_request_duration_seconds_count{method="PUT",route="/documents",status_code="201"}': 1,
      shingled_index_sources: 2,
      shingled_index_contents: 1,
      shingled_write_queue_length: 3,
      shingled_write_queue_age_seconds: 0.25,
      shingled_requests_in_flight: 0,
      shingled_index_writable: 1,
      shingled_index_damaged: 0,
      'shingled_fetch_refusals_total{reason="address-not-public"}': 2,
    });
    expect([...seen.keys()].some((name) => name.startsWith('nodejs_eventloop_lag'))).toBe(true);
  });

  it('read counters of others without adding them up twice', async () => {
    const refusals = 'shingled_fetch_refusals_total{reason="address-not-public"}';
    expect((await samples()).get(refusals)).toBe(2);
    expect((await samples()).get(refusals)).toBe(2);
  });

  it('are those of their own app, where a process has two', async () => {
    const other = await createHttpFixture();
    await other.app.inject({ method: 'POST', url: '/similar', payload: 'one', headers: TEXT });
    expect((await samples(other)).get('shingled_matches_count')).toBe(1);
    expect((await samples(other)).get('shingled_index_sources')).toBe(0);
    expect((await samples()).get('shingled_index_sources')).toBe(2);
    await other.close();
  });

  it('keep to names by convention, each explained', async () => {
    const { body, headers } = await fixture.app.inject('/metrics');
    expect(headers['content-type']).toContain('text/plain; version=0.0.4');
    const types = [...body.matchAll(/^# TYPE (shingled_\w+) (\w+)$/gm)].map(
      ([, name, type]) => [name!, type!] as const,
    );
    expect(types.length).toBeGreaterThan(15);
    for (const [name, type] of types) {
      expect(body).toMatch(new RegExp(`^# HELP ${name} \\S.+\\.$`, 'm'));
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
  });
});

describe('/stats', () => {
  it('says what the index holds', async () => {
    const fixture = await createHttpFixture();
    await fixture.parts.put('https://a.example/', 'one two three');
    expect((await fixture.app.inject('/stats')).json()).toMatchObject({
      sources: 1,
      contents: 1,
      version: '1.2.3',
      writable: true,
    });
    expect((await fixture.app.inject('/stats?verbose=true')).json()).toMatchObject({ status: 400, field: 'verbose' });
    await fixture.close();
  });
});
