import { connect } from 'node:net';

/** What came back, and how long each answer took, ms. */
export interface Load {
  readonly times: number[];
  readonly perSecond: number;
}

/**
 * Sends requests over so many connections of this machine, each with one under way, on bare sockets: a client library takes
 * longer for a request than the service does for its answer. Throws where an answer is not 2xx.
 */
export async function loadHttp(port: number, connections: number, requests: readonly Buffer[]): Promise<Load> {
  const times: number[] = [];
  let sent = 0;
  const started = performance.now();
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const open = () => {
        const socket = connect(port, '127.0.0.1').setNoDelay();
        let begun = 0;
        let answer = '';
        let ended = false;
        const send = () => {
          if (sent === requests.length) {
            ended = true;
            socket.end();
            return;
          }
          begun = performance.now();
          socket.write(requests[sent++]!);
        };
        socket.on('connect', send);
        socket.on('error', reject);
        socket.on('data', (chunk: Buffer) => {
          answer += chunk.toString('latin1');
          const head = answer.indexOf('\r\n\r\n');
          if (head < 0) return;
          if (!/^HTTP\/1\.1 2/.test(answer)) return reject(new Error(answer));
          const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head + 2))?.[1];
          // what has no length comes in chunks
          const isWhole =
            length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= head + 4 + Number(length);
          if (!isWhole) return;
          times.push(performance.now() - begun);
          const isLast = /\r\nconnection: close/i.test(answer.slice(0, head + 2));
          answer = '';
          if (isLast) socket.end();
          else send();
        });
        // the service takes some thousands of requests on a connection, then asks for another
        socket.on('close', () => (ended || sent === requests.length ? resolve() : open()));
      };
      open();
    });
  await Promise.all(Array.from({ length: connections }, lane));
  return { times, perSecond: (times.length / (performance.now() - started)) * 1000 };
}

/** A request with a body, ready for the wire. */
export function request(port: number, method: 'POST' | 'PUT', path: string, type: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}
