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
  #head: Head | null = null;
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
    this.#head ??= headOf(this.#received);
    if (this.#head === null) return;
    const { end, length, status, isLast } = this.#head;
    const isWhole = length === null ? this.#received.endsWith('\r\n0\r\n\r\n') : this.#received.length >= end + length;
    if (!isWhole) return;
    const body = this.#received.slice(end);
    if (isLast) this.#end(status, body);
    else {
      this.#received = '';
      this.#head = null;
      this.#settle?.({ status, body });
    }
  }

  #end(status: number, body: string): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#received = '';
    this.#head = null;
    socket?.destroy();
    this.#settle?.({ status, body });
  }
}

interface Head {
  readonly status: number;
  /** Where the body begins. */
  readonly end: number;
  /** Of the body; null where it comes in chunks. */
  readonly length: number | null;
  readonly isLast: boolean;
}

/** Looked at once: answers of many lines come in many pieces. */
function headOf(received: string): Head | null {
  const at = received.indexOf('\r\n\r\n');
  if (at < 0) return null;
  const head = received.slice(0, at);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return {
    status: Number(head.slice(9, 12)),
    end: at + 4,
    length: length === undefined ? null : Number(length),
    isLast: /^connection: close/im.test(head),
  };
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
