import { connect } from 'node:net';
import { textsOf } from './kernel-texts.ts';

/*
 * Posts texts of 5 KB to a URL of this machine until it is ended: `node bench/support/sketch/http-load.ts URL`.
 *
 * As many connections as CONNECTIONS, each with one request under way. It is written on bare sockets because the service
 * has to be the slower of the two: a client library takes longer for a request than the service does for its answer.
 */

const CONNECTIONS = 10;

const { port, pathname } = new URL(process.argv[2]!);
const requests = textsOf('english 5 KB').map((text) =>
  Buffer.concat([
    Buffer.from(
      `POST ${pathname} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${text.length}\r\n\r\n`,
    ),
    text,
  ]),
);
let sent = 0;
for (let i = 0; i < CONNECTIONS; i++) open();

function open(): void {
  const socket = connect(Number(port), '127.0.0.1').setNoDelay();
  const send = () => socket.write(requests[sent++ % requests.length]!);
  let answer = '';
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    const head = answer.indexOf('\r\n\r\n');
    if (head < 0) return;
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
    const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
    if (answer.length < head + 4 + Number(length)) return;
    const last = /\r\nconnection: close/i.test(answer);
    answer = '';
    if (last) socket.end();
    else send();
  });
  // the service takes some thousands of requests on a connection, then asks for another
  socket.on('close', open);
}
