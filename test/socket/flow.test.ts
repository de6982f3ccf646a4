import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../support/http/http-fixture.ts';
import {
  chunk,
  connectRaw,
  head,
  listening,
  othersServed,
  type RawClient,
  settled,
  statuses,
  untilRead,
} from '../support/http/raw-client.ts';

/* Clients and disks that are slower than each other: nobody's bytes pile up, and nobody waits for ever. */

const LINES = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
const MIB = 2 ** 20;

async function serve(options: HttpFixtureOptions): Promise<HttpFixture & { port: number; sockets: Socket[] }> {
  const fixture = await createHttpFixture(options);
  const sockets: Socket[] = [];
  fixture.app.server.on('connection', (socket: Socket) => sockets.push(socket));
  return { ...fixture, port: await listening(fixture.app), sockets };
}

const put = (name: number, text = 'one two three') =>
  `${JSON.stringify({ op: 'put', url: `https://a.example/${name}`, text })}\n`;

describe('bulk', () => {
  it('is read only as fast as it is written down', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let taken = 0;
    const fixture = await serve({
      wrapService: (service) => ({
        bulk: (lines, access) =>
          service.bulk(
            (async function* () {
              for await (const line of lines) {
                if (++taken > 3) await held;
                yield line;
              }
            })(),
            access,
          ),
      }),
    });
    const client = await connectRaw(fixture.port);
    client.socket.write(head('POST', '/documents', LINES));
    const text = 'x'.repeat(100_000);
    for (let name = 0; name < 300; name++) client.socket.write(chunk(put(name, text)));
    client.socket.write('0\r\n\r\n');
    const read = await settled(() => fixture.sockets[0]!.bytesRead);
    // 30 MB were sent: what is here is a few lines and the buffers of the connection
    expect(read).toBeLessThan(4 * MIB);
    letGo();
    await client.until('"summary"');
    expect(client.received()).toContain('{"summary":{"lines":300,"ok":300,"failed":0,"complete":true}}');
    client.socket.destroy();
    await fixture.close();
  });

  it('is served to a client that writes all before it reads anything', async () => {
    const fixture = await serve({});
    const client = await connectRaw(fixture.port, { paused: true });
    client.socket.write(head('POST', '/documents', LINES));
    for (let name = 0; name < 10_000; name++) client.socket.write(chunk(put(name)));
    client.socket.write('0\r\n\r\n');
    await settled(() => fixture.sockets[0]!.bytesRead);
    while ((await fixture.parts.service.stats()).sources < 10_000) await wait(20);
    let received = '';
    client.socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    while (!received.includes('"summary"')) await wait(20);
    expect(received).toContain('{"summary":{"lines":10000,"ok":10000,"failed":0,"complete":true}}');
    client.socket.destroy();
    await fixture.close();
  });

  it('ends cleanly where its client goes away: what was read is done, nothing else is', async () => {
    const fixture = await serve({});
    const client = await connectRaw(fixture.port);
    client.socket.write(head('POST', '/documents', LINES));
    client.socket.write(chunk(`${put(1)}${put(2)}{"op":"put","url":"https://a.example/3","te`));
    await client.until('https://a.example/2');
    client.socket.destroy();
    while (!fixture.log.some((line) => line.includes('"route":"/documents"'))) await wait(10);
    expect((await fixture.parts.service.stats()).sources).toBe(2);
    expect(fixture.log.filter((line) => line.includes('"level":50'))).toEqual([]);
    await fixture.close();
  });

  it('waits where enough of it is under way, unread, and goes on when there is room', async () => {
    const fixture = await serve({ httpLimits: { bulkRequestsMax: 4 } });
    const begin = async (): Promise<RawClient> => {
      const client = await connectRaw(fixture.port);
      client.socket.write(head('POST', '/documents', LINES) + chunk(put(1)));
      return client;
    };
    const [first, second] = [await begin(), await begin()];
    await Promise.all([first, second].map((client) => client.until('"line":1,')));
    const third = await begin();
    await untilRead(fixture.sockets, third.socket);
    await othersServed(fixture.port);
    expect(third.received()).toBe('');
    first.socket.destroy();
    await third.until('"line":1,');
    // one that goes while it waits takes no room
    const gone = await begin();
    await untilRead(fixture.sockets, gone.socket);
    gone.socket.destroy();
    second.socket.destroy();
    const fourth = await begin();
    await fourth.until('"line":1,');
    for (const client of [third, fourth]) client.socket.destroy();
    await fixture.close();
  });

  it('is turned away where too much of it waits', async () => {
    const fixture = await serve({ httpLimits: { bulkRequestsMax: 2 } });
    const clients: RawClient[] = [];
    const isRefused = ({ received }: RawClient) => received().includes('"code":"overloaded"');
    for (let begun = 0; begun < 18; begun++) {
      const client = await connectRaw(fixture.port);
      client.socket.write(head('POST', '/documents', LINES) + chunk(put(1)));
      clients.push(client);
    }
    while (!clients.some(isRefused)) await wait(5);
    const [refused] = clients.filter(isRefused);
    expect(statuses(refused!.received())).toEqual([503]);
    expect(refused!.received()).toContain('"limit":{"name":"bulkRequestsMax","value":2}');
    expect(clients.filter(isRefused).length).toBe(1);
    for (const { socket } of clients) socket.destroy();
    await fixture.close();
  });
});

describe('a query', () => {
  it('is given up where its client has gone', async () => {
    let signal: AbortSignal | undefined;
    const fixture = await serve({
      wrapService: () => ({
        similar: (_reference, _options, _access, given) => {
          signal = given;
          return new Promise(() => {});
        },
      }),
    });
    const client = await connectRaw(fixture.port);
    client.socket.write(head('GET', '/similar?url=https://a.example/', {}));
    while (signal === undefined) await wait(5);
    expect(signal.aborted).toBe(false);
    client.socket.destroy();
    while (!signal.aborted) await wait(5);
    await fixture.close();
  });
});

describe('a batch of queries', () => {
  it('waits for a client that does not read its answers, once they are many', async () => {
    let answered = 0;
    const title = JSON.stringify('t'.repeat(100_000));
    const fixture = await serve({
      httpLimits: { answersBytesMax: MIB },
      wrapService: (service) => ({
        similarBatch: async function* (lines, access) {
          for await (const answer of service.similarBatch(lines, access)) {
            answered++;
            yield 'answer' in answer ? { ...answer, answer: { ...answer.answer, json: title } } : answer;
          }
        },
      }),
    });
    const client = await connectRaw(fixture.port, { paused: true });
    client.socket.write(head('POST', '/similar', LINES));
    const line = `${JSON.stringify({ document: { text: 'one two three' } })}\n`;
    client.socket.write(chunk(line.repeat(400)));
    client.socket.write('0\r\n\r\n');
    // 40 MB of answers: what is not read is held to a few MiB, most of it in the buffers of the connection
    expect(await settled(() => answered)).toBeLessThan(150);
    let bytes = 0;
    let tail = '';
    client.socket.on('data', (data) => {
      bytes += data.length;
      tail = (tail + data.toString('latin1')).slice(-200);
    });
    while (!tail.includes('"summary"')) await wait(10);
    expect(tail).toContain('{"summary":{"lines":400,"ok":400,"failed":0,"complete":true}}');
    expect(bytes).toBeGreaterThan(40_000_000);
    client.socket.destroy();
    await fixture.close();
  });

  it('stops where its client has gone', async () => {
    let taken = 0;
    const fixture = await serve({
      wrapService: (service) => ({
        similarBatch: (lines, access) =>
          service.similarBatch(
            (async function* () {
              for await (const line of lines) {
                taken++;
                await wait(5);
                yield line;
              }
            })(),
            access,
          ),
      }),
    });
    const client = await connectRaw(fixture.port);
    client.socket.write(head('POST', '/similar', LINES));
    client.socket.write(`${chunk(`${JSON.stringify({ document: { text: 'one two' } })}\n`.repeat(2000))}0\r\n\r\n`);
    await client.until('"line":1,');
    client.socket.destroy();
    expect(await settled(() => taken)).toBeLessThan(1000);
    await fixture.close();
  });
});
