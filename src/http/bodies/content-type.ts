import { MIMEType } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { ShingledError } from '../../errors.ts';
import { CODINGS, type Coding } from './decoded-body.ts';

/** NDJSON by its names: many lines, read one by one and never held as a whole. */
export const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** The media type of a request in lower case and without parameters, null where it names none. */
export function essenceOf(request: FastifyRequest): string | null {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type === '' ? null : type;
}

const TYPE_SHOWN_MAX = 100;

/** The media type of a request for a message: its first characters, in ASCII. */
export function shownType(request: FastifyRequest): string {
  return shownText(essenceOf(request) ?? 'no type');
}

/** What a header says, as far as a message repeats it. */
export function shownText(text: string, charactersMax = TYPE_SHOWN_MAX): string {
  return text.slice(0, charactersMax).replace(/[^ -~]/g, '?');
}

/** @throws ShingledError `unsupported-charset` where a request names a charset that nobody knows */
export function checkCharset(request: FastifyRequest): void {
  const label = charsetOf(request.headers['content-type'] ?? '');
  if (label === null) return;
  try {
    new TextDecoder(label);
  } catch {
    const detail = `The charset "${shownText(label, 40)}" is not known; utf-8 is, and what else browsers know.`;
    throw new ShingledError('unsupported-charset', detail, { field: 'content-type' });
  }
}

function charsetOf(type: string): string | null {
  if (!/charset/i.test(type) || /; ?charset=utf-8$/i.test(type)) return null;
  try {
    return new MIMEType(type).params.get('charset')?.trim() || null;
  } catch {
    return null;
  }
}

/**
 * The content coding of a request, null for none.
 *
 * @throws ShingledError `unsupported-media-type` for any that is not one of ours, and for more than one: they multiply
 */
export function codingOf(request: FastifyRequest): Coding | null {
  const sent = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const name = sent === 'x-gzip' ? 'gzip' : sent;
  if (name === '' || name === 'identity') return null;
  const coding = CODINGS.find((each) => each === name);
  if (coding !== undefined) return coding;
  const taken = `Bodies are taken in one of the content codings ${CODINGS.join(', ')}, or without one`;
  const detail = `${taken}; it was sent ${JSON.stringify(shownText(sent))}.`;
  throw new ShingledError('unsupported-media-type', detail, { field: 'content-encoding' });
}
