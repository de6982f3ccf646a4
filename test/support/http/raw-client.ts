import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { vi } from 'vitest';
import { answersLate } from './slow-browser.ts';

/* A client that says exactly what it is told to, byte by byte: what no HTTP library would send. */

export interface RawClient {
  readonly socket: Socket;
  /** All that has come so far. */
  readonly received: () => string;
  /** Resolves when the text has come. */
  until(text: string): Promise<void>;
  /** Resolves with all that came when the server has closed the connection. */
  closed(): Promise<string>;
}

export async function listening(app: FastifyInstance): Promise<number> {
  answersLate(app.server);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

export async function connectRaw(
  port: number,
  options: { paused?: boolean } = {},
  host = '127.0.0.1',
): Promise<RawClient> {
  const socket = connect({ host, port });
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString('latin1');
  // a reset is one way in which a server may close
  socket.on('error', () => {});
  const closing = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (options.paused !== true) socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'connect');
  return {
    socket,
    received,
    async until(text) {
      while (!received().includes(text)) {
        await Promise.race([once(socket, 'data'), closing]);
        if (socket.closed && !received().includes(text)) throw new Error(`closed after: ${received().slice(0, 500)}`);
      }
    },
    async closed() {
      await closing;
      return received();
    },
  };
}

/** The connections that a server gets from now on, in the order in which they come. */
export function connectionsOf(app: FastifyInstance): readonly Socket[] {
  const connections: Socket[] = [];
  app.server.on('connection', (socket: Socket) => connections.push(socket));
  return connections;
}

/** Resolves when a server has read so many bytes of what a client sent. */
export async function untilRead(connections: readonly Socket[], client: Socket, bytes = 1): Promise<void> {
  const isRead = (socket: Socket) => socket.remotePort === client.localPort && socket.bytesRead >= bytes;
  await vi.waitUntil(() => connections.some(isRead), { interval: 1, timeout: 60_000 });
}

/** Resolves when others have been served, one after the other, since: what was to come of what was read has come. */
export async function othersServed(port: number, times = 5): Promise<void> {
  for (let i = 0; i < times; i++) {
    const client = await connectRaw(port);
    client.socket.write(head('GET', '/health/live', {}));
    await client.until('"live"');
    client.socket.destroy();
  }
}

/** Resolves with a figure when that has not changed for a while. */
export async function settled(figure: () => number): Promise<number> {
  for (let before = -1, now = figure(); ; before = now, now = figure()) {
    if (now === before && now > 0) return now;
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  }
}
const SETTLED_MS = 150;

/** Head of a request with a body. */
export function head(method: string, path: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** One chunk of a chunked body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Writes a piece every `everyMs` until the connection is closed. */
export function drip(client: RawClient, piece: string, everyMs: number): void {
  const timer = setInterval(() => client.socket.write(piece), everyMs);
  client.socket.once('close', () => clearInterval(timer));
}

/** The statuses of all answers in what was received, in order. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
