import { createSocket } from 'node:dgram';

export type RecordType = 'A' | 'AAAA';

export interface DnsServer {
  /** `address:port` */
  readonly address: string;
  /** What was asked for, in order of arrival: `A name.example`. */
  readonly questions: readonly string[];
  close(): void;
}

const TYPES: Readonly<Record<number, RecordType>> = { 1: 'A', 28: 'AAAA' };
const NXDOMAIN = 3;

/**
 * A name server on loopback.
 *
 * @param answer the addresses of a name, empty where it has none of that type; a number is an error code (RFC 1035,
 * §4.1.1), `silent` no answer at all
 */
export async function startDnsServer(
  answer: (type: RecordType, name: string) => readonly string[] | number | 'silent',
): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at]! + 1)
      labels.push(query.subarray(at + 1, at + 1 + query[at]!).toString('latin1'));
    const type = TYPES[query.readUInt16BE(at + 1)];
    const found = type === undefined ? NXDOMAIN : answer(type, labels.join('.'));
    questions.push(`${type} ${labels.join('.')}`);
    if (found === 'silent') return;
    const records = typeof found === 'number' ? [] : found.map((text) => record(type!, text));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() };
}

/** An answer for the name of the question (a pointer to it), class IN, time to live 0. */
function record(type: RecordType, text: string): Buffer {
  const address =
    type === 'A' ? Buffer.from(text.split('.').map(Number)) : Buffer.from(text.replaceAll(':', ''), 'hex');
  const head = Buffer.from([0xc0, 0x0c, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, address.length]);
  return Buffer.concat([head, address]);
}
