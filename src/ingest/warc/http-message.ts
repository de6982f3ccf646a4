import { Buffer } from 'node:buffer';

/** The answer of a server, as it lies in a record. */
export interface HttpMessage {
  readonly status: number;
  /** The values of a field, by its name in lowercase. */
  header(name: string): readonly string[];
  readonly body: Buffer;
}

/** No server sends so much. */
const HEAD_BYTES_MAX = 2 ** 18;
const STATUS_LINE = /^HTTP\/\d(?:\.\d)?[\t ]+(\d{3})(?!\d)/i;

/** @returns null where it is none */
export function parseHttp(block: Buffer): HttpMessage | null {
  const head = block.toString('latin1', 0, HEAD_BYTES_MAX);
  const status = STATUS_LINE.exec(head);
  if (status === null) return null;
  // an answer without a body may lack the empty line
  const end = /\r?\n\r?\n/.exec(head) ?? { index: head.length, 0: '' };
  const lines = head
    .slice(0, end.index)
    .replace(/\r?\n[\t ]+/g, ' ')
    .split(/\r?\n/);
  const fields = new Map<string, string[]>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const bodyAt = end.index + end[0].length;
  return { status: Number(status[1]), header: (name) => fields.get(name) ?? [], body: block.subarray(bodyAt) };
}

const CHUNK_SIZE = /^([\da-f]{1,8})[\t ]*(?:;[^\r\n]*)?\r?\n/i;
const CHUNK_LINE_BYTES_MAX = 256;

/** A body without the lines of its chunks; many archives have it so already, whatever its head says. */
export function dechunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = CHUNK_SIZE.exec(body.toString('latin1', at, at + CHUNK_LINE_BYTES_MAX));
    if (line === null) return at === 0 ? body : Buffer.concat(parts);
    const size = Number.parseInt(line[1]!, 16);
    if (size === 0) return Buffer.concat(parts);
    at += line[0].length;
    parts.push(body.subarray(at, at + size));
    at += size;
    if (body[at] === 0x0d) at++;
    if (body[at] === 0x0a) at++;
  }
}
