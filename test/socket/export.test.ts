import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExportLine } from '../../src/service/api.ts';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../support/http/http-fixture.ts';
import { connectRaw, head, listening, type RawClient, settled } from '../support/http/raw-client.ts';

/* Exports whose clients read slowly, or go: what is not read yet has a bound, and nothing is read for who has gone. */

const MIB = 2 ** 20;

let fixture: HttpFixture;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  await fixture.close();
});

/** An export of so many lines of 10 KB. */
function counting(lines: number) {
  const told = { lines: 0, ended: 0 };
  const options: HttpFixtureOptions = {
    wrapService: () => ({
      export: async function* (): AsyncGenerator<ExportLine, void, undefined> {
        try {
          for (; told.lines < lines; told.lines++) {
            if (told.lines % 50 === 0) await wait(0);
            yield { url: `urn:${told.lines}:${'x'.repeat(10_000)}`, code: 'index-unreadable', detail: '' };
          }
        } finally {
          told.ended++;
        }
      },
    }),
  };
  return { options, told };
}

async function ask(port: number, paused: boolean): Promise<RawClient> {
  const client = await connectRaw(port, { paused });
  clients.push(client);
  client.socket.write(head('GET', '/documents/export', {}));
  return client;
}

describe('an export', () => {
  it('waits for a client that does not read, and goes on when he does', async () => {
    const { options, told } = counting(6000);
    fixture = await createHttpFixture(options);
    const client = await ask(await listening(fixture.app), true);
    const made = await settled(() => told.lines);
    // of 60 MB: 1 MiB here, and at most 10 MB in the buffers of the connection
    expect(made).toBeLessThan((12 * MIB) / 10_000);
    let tail = '';
    let bytes = 0;
    client.socket.on('data', (data) => {
      bytes += data.length;
      tail = (tail + data.toString('latin1')).slice(-300);
    });
    while (!tail.includes('"summary"')) await wait(5);
    expect(tail).toContain('{"summary":{"documents":0,"unreadableCount":6000,"complete":true}}');
    expect(bytes).toBeGreaterThan(6000 * 10_000);
    expect(told).toEqual({ lines: 6000, ended: 1 });
  });

  it('ends where its client goes', async () => {
    const { options, told } = counting(Number.POSITIVE_INFINITY);
    fixture = await createHttpFixture(options);
    const client = await ask(await listening(fixture.app), true);
    await settled(() => told.lines);
    client.socket.resetAndDestroy();
    while (told.ended === 0) await wait(5);
    expect(fixture.log.join('')).not.toContain('an export failed');
  });

  it('of a caller leaves room for others: no more than half of all streams', async () => {
    const { options } = counting(Number.POSITIVE_INFINITY);
    fixture = await createHttpFixture({ ...options, httpLimits: { bulkRequestsMax: 4 } });
    const port = await listening(fixture.app);
    const asked = await Promise.all(Array.from({ length: 3 }, () => ask(port, false)));
    await Promise.all(asked.slice(0, 2).map((client) => client.until('200 OK')));
    await wait(50);
    expect(asked.filter((client) => client.received() !== '')).toHaveLength(2);
  });
});
