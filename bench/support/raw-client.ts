import { connect, type Socket } from 'node:net';

/** An answer, as much of it as loads look at. */
export interface RawAnswer {
  /** 0 where the connection ended without one. */
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

/**
 * A connection for one request after the other, on a bare socket: a client library takes longer for a request than the
 * service does for its answer, and loads share its cores.
 */
export class RawClient {
  readonly #port: number;
  #socket: Socket | null = null;
  #received = '';
  #settle: ((answer: Omit<RawAnswer, 'ms'>) => void) | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the bytes of a request, and resolves when its answer is here; never rejects. */
  ask(request: Buffer): Promise<RawAnswer> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      this.#settle = (answer) => {
        this.#settle = null;
        resolve({ ...answer, ms: performance.now() - startedAt });
      };
      this.#socket ??= this.#open();
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay();
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#hear(text));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket === socket) this.#end(0, '');
    });
    return socket;
  }

  #hear(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1];
    const isWhole =
      length === undefined ? this.#received.endsWith('0\r\n\r\n') : this.#received.length >= head + 4 + Number(length);
    if (!isWhole) return;
    const status = Number(this.#received.slice(9, 12));
    const isLast = /^connection: close/im.test(this.#received.slice(0, head));
    const body = this.#received.slice(head + 4);
    if (isLast) this.#end(status, body);
    else {
      this.#received = '';
      this.#settle?.({ status, body });
    }
  }

  #end(status: number, body: string): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#received = '';
    socket?.destroy();
    this.#settle?.({ status, body });
  }
}

/** The bytes of a request. */
export function rawRequest(
  method: string,
  path: string,
  secret: string,
  body?: { readonly type: string; readonly data: string | Buffer },
): Buffer {
  const data = Buffer.from(body?.data ?? '');
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${secret}`,
    ...(body === undefined ? [] : [`content-type: ${body.type}`, `content-length: ${data.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), data]);
}
