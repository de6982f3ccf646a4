import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { drain } from '../../src/http/lifecycle.ts';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { chunk, connectionsOf, connectRaw, head, listening, statuses, untilRead } from '../support/http/raw-client.ts';

/* Stopping while clients are connected: what is under way is finished, nothing else begins, and it ends. */

const TEXT = { 'content-type': 'text/plain', 'content-length': 7 };
const NEVER_MS = 20_000;

interface Held {
  readonly port: number;
  readonly connections: readonly Socket[];
  readonly begun: Promise<void>;
  letGo(): void;
}

/** An app whose queries wait until they are let go. */
async function heldApp(): Promise<HttpFixture & Held> {
  let letGo = () => {};
  let began = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const fixture = await createHttpFixture({
    wrapService: (service) => ({
      similar: async (...args) => {
        began();
        await held;
        return service.similar(...args);
      },
    }),
  });
  const connections = connectionsOf(fixture.app);
  return { ...fixture, connections, port: await listening(fixture.app), letGo, begun };
}

describe('draining', () => {
  it('finishes what is under way, closes its connection, and those that are idle', async () => {
    const fixture = await heldApp();
    const idle = await connectRaw(fixture.port);
    idle.socket.write(head('GET', '/health/live', {}));
    await idle.until('"live"');
    const busy = await connectRaw(fixture.port);
    busy.socket.write(`${head('POST', '/similar', TEXT)}one two`);
    await fixture.begun;
    const draining = drain(fixture.app, fixture.lifecycle, NEVER_MS);
    await idle.closed();
    expect(busy.socket.closed).toBe(false);
    fixture.letGo();
    const received = await busy.closed();
    expect(statuses(received)).toEqual([200]);
    expect(received).toMatch(/connection: close/i);
    expect(received).toContain('"matches":[]');
    await draining;
    await fixture.parts.close();
  });

  it('turns away what comes on a connection that is busy', async () => {
    const fixture = await heldApp();
    const busy = await connectRaw(fixture.port);
    busy.socket.write(`${head('POST', '/similar', TEXT)}one two`);
    await fixture.begun;
    const draining = drain(fixture.app, fixture.lifecycle, NEVER_MS);
    const more = head('GET', '/stats', {});
    const { bytesRead } = fixture.connections[0]!;
    busy.socket.write(more);
    await untilRead(fixture.connections, busy.socket, bytesRead + more.length);
    fixture.letGo();
    const received = await busy.closed();
    expect(statuses(received)[0]).toBe(200);
    expect(received).not.toContain('"sources"');
    await draining;
    await fixture.parts.close();
  });

  it('closes the connection of an answer that had begun before, as soon as it ends', async () => {
    const fixture = await heldApp();
    const bulk = await connectRaw(fixture.port);
    bulk.socket.write(
      head('POST', '/documents', { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }),
    );
    bulk.socket.write(chunk('{"op":"put","url":"https://a.example/","text":"one two"}\n'));
    await bulk.until('"result":"created"');
    const draining = drain(fixture.app, fixture.lifecycle, NEVER_MS);
    bulk.socket.write(chunk('{"op":"put","url":"https://b.example/","text":"one three"}\n'));
    await bulk.until('https://b.example/');
    bulk.socket.write('0\r\n\r\n');
    const received = await bulk.closed();
    expect(received).toContain('{"summary":{"lines":2,"ok":2,"failed":0,"complete":true}}');
    await draining;
    await fixture.parts.close();
  });

  it('cuts off what is not finished at its deadline', async () => {
    const fixture = await heldApp();
    const clients = await Promise.all([1, 2, 3].map(() => connectRaw(fixture.port)));
    clients[0]!.socket.write(`${head('POST', '/similar', TEXT)}one two`);
    clients[1]!.socket.write(head('POST', '/similar', TEXT));
    clients[2]!.socket.write('GET /sta');
    await fixture.begun;
    for (const { socket } of clients) await untilRead(fixture.connections, socket);
    await drain(fixture.app, fixture.lifecycle, 200);
    const received = await Promise.all(clients.map((client) => client.closed()));
    expect(received.flatMap(statuses)).toEqual([]);
    fixture.letGo();
    await fixture.parts.close();
  });

  it('does the same at every address that it listens at', async () => {
    const fixture = await heldApp();
    await fixture.app.listenBeside('127.0.0.2');
    const [busy, idle] = [
      await connectRaw(fixture.port, {}, '127.0.0.2'),
      await connectRaw(fixture.port, {}, '127.0.0.2'),
    ];
    idle.socket.write(head('GET', '/health/live', {}).repeat(3));
    while (statuses(idle.received()).length < 3) await wait(5);
    busy.socket.write(`${head('POST', '/similar', TEXT)}one two`);
    await fixture.begun;
    let isDrained = false;
    const draining = drain(fixture.app, fixture.lifecycle, NEVER_MS).then(() => {
      isDrained = true;
    });
    await idle.closed();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([busy.socket.closed, isDrained]).toEqual([false, false]);
    fixture.letGo();
    expect(statuses(await busy.closed())).toEqual([200]);
    await draining;
    const late = await connectRaw(fixture.port, {}, '127.0.0.2').catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'ECONNREFUSED' });
    await fixture.parts.close();
  });
});
