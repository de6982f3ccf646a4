import { describe, expect, it, vi } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import { problemOf } from '../../../src/http/told/problems.ts';
import { createHttpFixture, NDJSON } from '../../support/http/http-fixture.ts';
import { connectRaw, head, listening } from '../../support/http/raw-client.ts';

const fieldOf = (field: string, query: unknown) =>
  problemOf(new ShingledError('invalid-request', 'No.', { field }), 'id', query).field;

describe('the field of a problem', () => {
  it.each([
    ['a threshold of JSON', 'thresholds.resemblance', {}, 'thresholds.resemblance'],
    ['a threshold of JSON, beside parameters', 'thresholds.resemblance', { limit: 3 }, 'thresholds.resemblance'],
    ['a parameter', 'thresholds.queryInMatch', { resemblance: 1, queryInMatch: 0 }, 'queryInMatch'],
    ['an excluded host of JSON', 'exclude.hosts[1]', { limit: 3 }, 'exclude.hosts[1]'],
    ['an excluded host', 'exclude.hosts[1]', { excludeHosts: 'x,y' }, 'excludeHosts[1]'],
    ['an excluded URL', 'exclude.urls[0]', { excludeUrls: 'x' }, 'excludeUrls[0]'],
    ['all of them, as JSON has them', 'thresholds', null, 'thresholds'],
    ['all of them, by the first that came', 'thresholds', { matchInQuery: 'off', resemblance: 'off' }, 'resemblance'],
    [
      'another field of the name of a parameter',
      'results[0].resemblance',
      { resemblance: 1 },
      'results[0].resemblance',
    ],
  ])('is as it was sent: %s', (_what, field, query, expected) => {
    expect(fieldOf(field, query)).toBe(expected);
  });
});

it('is called so in what is told of it, and nothing that was sent is called otherwise', () => {
  const detail = (field: string, message: string, query: unknown) =>
    problemOf(new ShingledError('invalid-request', message, { field }), 'id', query).detail;
  const message = 'exclude.urls[0] must be a URL; it is "exclude.urls".';
  expect(detail('exclude.urls[0]', message, { excludeUrls: 'x' })).toBe(
    'excludeUrls[0] must be a URL; it is "exclude.urls".',
  );
  expect(detail('exclude.urls[0]', message, {})).toBe(message);
});

it('tells of no fault if a client goes before the first line of its answer', async () => {
  const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* readsAll(lines: AsyncIterable<unknown>): AsyncGenerator<never, void, undefined> {
    for await (const _ of lines);
    begun.resolve();
    await gone.promise;
    yield* [];
  }
  const fixture = await createHttpFixture({ wrapService: () => ({ bulk: readsAll }) });
  const client = await connectRaw(await listening(fixture.app));
  const line = '{"op":"delete","url":"https://a.example/"}';
  client.socket.write(head('POST', '/documents', { ...NDJSON, 'content-length': line.length }) + line);
  await begun.promise;
  client.socket.resetAndDestroy();
  const told = () => fixture.log.map((line) => JSON.parse(line) as { level: number; msg: string; aborted?: boolean });
  await vi.waitUntil(() => told().some(({ msg }) => msg === 'request'));
  gone.resolve();
  await fixture.close();
  expect(told().find(({ msg }) => msg === 'request')).toMatchObject({ route: '/documents', aborted: true });
  expect(told().filter(({ level }) => level > 30)).toEqual([]);
});
