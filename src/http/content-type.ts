import type { FastifyRequest } from 'fastify';

/** NDJSON by its names: many lines, read one by one and never held as a whole. */
export const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** The media type of a request in lower case and without parameters, null where it names none. */
export function essenceOf(request: FastifyRequest): string | null {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type === '' ? null : type;
}
