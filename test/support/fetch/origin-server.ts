import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A request as it arrived. */
export interface OriginRequest {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** What a server does with a socket once the head of a request is there: anything at all. */
export type Behaviour = (socket: Socket, request: OriginRequest) => void;

export interface OriginServer {
  readonly port: number;
  /** Paths asked for, in order. */
  readonly paths: readonly string[];
  readonly requests: readonly OriginRequest[];
  /** Connections made, whether anything was sent over them or not. */
  readonly connections: number;
  readonly open: number;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface OriginOptions {
  /** An address of this machine; only loopback ones are sensible. */
  readonly host?: string;
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Called at the connection, before anything was read; where given, no request is read. */
  readonly onConnection?: (socket: Socket) => void;
}

/** A server that knows nothing of HTTP but where the head of a request ends, so that it can break every rule of it. */
export async function startOrigin(behave: Behaviour, options: OriginOptions = {}): Promise<OriginServer> {
  const { host = '127.0.0.1', port = 0, tls, onConnection } = options;
  const requests: OriginRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let whenIdle = () => {};
  const accept = (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) whenIdle();
    });
    if (onConnection !== undefined) return onConnection(socket.resume());
    readHead(socket, (request) => {
      requests.push(request);
      behave(socket, request);
    });
  };
  const server: Server = tls === undefined ? createTcpServer(accept) : createTlsServer(tls, accept);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    get paths() {
      return requests.map(({ path }) => path);
    },
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    idle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => (whenIdle = resolve))),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function readHead(socket: Socket, done: (request: OriginRequest) => void): void {
  let head = '';
  const read = (chunk: Buffer) => {
    head += chunk.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    socket.off('data', read);
    // What else arrives is thrown away: without a reader the end of the connection would not be seen.
    socket.resume();
    const [first, ...lines] = head.split('\r\n\r\n')[0]!.split('\r\n');
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    done({ path: first!.split(' ')[1] ?? '', headers });
  };
  socket.on('data', read);
}

export interface PlainAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A correct answer with its length, after which the connection is closed. */
export function answer({ status = 200, headers = {}, body = '' }: PlainAnswer): Behaviour {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (socket) => {
    const lines = head(status, { 'content-type': 'text/html', 'content-length': String(bytes.length), ...headers });
    socket.write(lines, 'latin1');
    socket.end(bytes);
  };
}

/** Behaviours by path, without the query; 404 for all others. */
export function routes(table: Readonly<Record<string, Behaviour>>): Behaviour {
  return (socket, request) => (table[request.path.split('?')[0]!] ?? answer({ status: 404 }))(socket, request);
}

export function redirect(location: string, status = 302): Behaviour {
  return answer({ status, headers: { location } });
}

export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`;
}

/** Writes a piece again and again: as fast as the other side reads, or every `everyMs`. */
export function repeat(socket: Socket, piece: string | Uint8Array, everyMs = 0): void {
  const write = () => {
    if (socket.destroyed) return;
    if (everyMs > 0) setTimeout(write, everyMs).unref();
    else if (socket.writableLength < 1_000_000) setImmediate(write);
    else socket.once('drain', write);
    socket.write(piece);
  };
  write();
}
