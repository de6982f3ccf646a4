import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { Problem } from '../schemas/operation.schema.ts';

/* Which answers a route may give, for its OpenAPI description. */

/** What any call with a scope may answer, whatever it does. */
const EVERYWHERE: readonly ErrorCode[] = [
  ...(['malformed-request', 'invalid-request', 'invalid-utf8', 'unauthorized', 'forbidden', 'uri-too-long'] as const),
  ...(['expectation-failed', 'rate-limited', 'headers-too-large', 'request-timeout', 'internal'] as const),
  ...(['index-unreadable', 'overloaded', 'draining', 'unknown-host', 'foreign-origin'] as const),
];

/** What calls of one kind may answer beside that. */
export const CODES = {
  body: ['body-incomplete', 'body-too-large', 'unsupported-media-type'],
  json: ['invalid-json', 'invalid-utf8'],
  document: [
    ...(['empty-document', 'document-too-complex', 'unsupported-charset', 'unsupported-media-type'] as const),
    ...(['unreadable-document', 'invalid-selector', 'invalid-url', 'body-too-large', 'deadline-exceeded'] as const),
  ],
  fetch: [
    ...(['fetch-failed', 'fetch-status', 'fetch-too-large', 'fetch-timeout', 'robots-disallowed'] as const),
    'not-fetchable',
  ],
  known: ['invalid-url', 'unknown-url'],
  version: ['unknown-version'],
  page: ['invalid-cursor'],
  write: ['storage-full', 'write-queue-full'],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** Answers with these error codes, beside those that every call may give: one entry a status, its codes named. */
export function problems(...codes: readonly (readonly ErrorCode[])[]): NonNullable<FastifySchema['response']> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of [...EVERYWHERE, ...codes.flat()]) {
    const { status } = ERRORS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const entries = [...byStatus].map(([status, names]) => [
    status,
    {
      description: [...names].map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
      content: { 'application/problem+json': { schema: Problem } },
    },
  ]);
  return Object.fromEntries(entries);
}

/** An answer in JSON. */
export function json(description: string, schema: TSchema, type = 'application/json') {
  const { examples, ...bare } = schema as TSchema & { readonly examples?: readonly unknown[] };
  const example = examples?.[0];
  return {
    description,
    content: { [type]: { schema: bare, ...(example === undefined ? {} : { example }) } },
  };
}

/** What calls without a scope answer to a request that is none. */
export const ANY_4XX = {
  description: 'Not a request for this.',
  content: { 'application/problem+json': { schema: Problem } },
};
