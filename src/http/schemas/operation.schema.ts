import Type, { type Static } from 'typebox';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { DamageAnswer, INDEX_EXAMPLE, IndexAnswer, UpkeepAnswer } from './admin.schema.ts';
import { Count, closed, orNull, Time } from './common.schema.ts';

/* Schemas of problems, NDJSON answers and of what an operator asks. */

/** RFC 9457. Extensible by its own rule, so clients must ignore members that they do not know. */
export const Problem = closed(
  {
    type: Type.String({ description: 'Names the kind of problem.', examples: ['urn:shingled:error:unknown-url'] }),
    title: Type.String({ description: 'The kind in words.', examples: ['The URL is not in the index'] }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.', examples: [404] }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
      description: 'What to switch on; never changes its meaning.',
      examples: ['unknown-url'],
    }),
    detail: Type.String({ description: 'What happened this time.', examples: ['The index has no such URL.'] }),
    requestId: Type.String({ description: 'Names the request in the log.', examples: ['8b1f'] }),
    field: Type.Optional(Type.String({ description: 'The field at fault.', examples: ['url'] })),
    limit: Type.Optional(
      closed(
        { name: Type.String(), value: Type.Number() },
        { description: 'The limit that was met.', examples: [{ name: 'bodyBytesMax', value: 8_388_608 }] },
      ),
    ),
  },
  { title: 'Problem', description: 'An error (RFC 9457).' },
);

export type ProblemJson = Static<typeof Problem>;

export const StatsAnswer = closed(
  {
    version: Type.String({ description: 'Version of the service.', examples: ['0.1.0'] }),
    fingerprintId: Type.String({ description: 'Version and key of the fingerprints.', examples: ['2.9f3c'] }),
    kernel: Type.Union([Type.Literal('wasm'), Type.Literal('typescript')], {
      description: 'Which of the two equal kernels makes the sketches.',
      examples: ['wasm'],
    }),
    shingleSize: Count('Words in a shingle.', 7),
    indexModulusMax: Count('Of a long document, 1 in so many shingles can be looked up.', 8),
    recordModulusMax: Count('Of a long document, 1 in so many shingles is kept for estimates.', 4),
    createdAt: Time('When the index was created.'),
    sources: Count('URLs.', 4600),
    contents: Count('Distinct contents.', 4100),
    postings: Count('Postings.', 410_000),
    diskBytes: orNull(Count('Bytes on disk, where there is one.', 31_000_000)),
    freeBytes: orNull(Count('Bytes free beside them.', 90_000_000_000)),
    writable: Type.Boolean({ description: 'False while the disk refuses writes.', examples: [true] }),
    uptimeS: Type.Number({ minimum: 0, description: 'Seconds since the start.', examples: [3600] }),
    index: orNull(IndexAnswer),
    damage: orNull(DamageAnswer, {
      description: 'What of the index cannot be trusted; null while there is nothing, and without the scope `admin`.',
    }),
    upkeep: orNull(UpkeepAnswer, {
      description: 'The last backup or compaction since the start; null without the scope `admin`.',
    }),
  },
  {
    title: 'StatsAnswer',
    examples: [
      {
        version: '0.1.0',
        fingerprintId: '2.9f3c',
        kernel: 'wasm',
        shingleSize: 7,
        indexModulusMax: 8,
        recordModulusMax: 4,
        createdAt: '2026-01-02T03:04:05.000Z',
        sources: 4600,
        contents: 4100,
        postings: 410_000,
        diskBytes: 31_000_000,
        freeBytes: 90_000_000_000,
        writable: true,
        uptimeS: 3600,
        index: INDEX_EXAMPLE,
        damage: null,
        upkeep: null,
      },
    ],
  },
);

export const LiveAnswer = closed({ status: Type.Literal('live') }, { title: 'Live', examples: [{ status: 'live' }] });

export const ReadyAnswer = closed(
  {
    status: Type.Enum(['ready', 'not-ready'], { examples: ['ready'] }),
    checks: closed(
      {
        phase: Type.Enum(['opening', 'ready', 'draining'], {
          description: 'Anything but `ready` is not ready.',
          examples: ['ready'],
        }),
        undamaged: Type.Boolean({
          description: 'False after a value of the index could not be read: not ready.',
          examples: [true],
        }),
        writable: Type.Boolean({ description: 'False while the disk refuses writes; still ready.', examples: [true] }),
      },
      { description: 'What was looked at.' },
    ),
  },
  {
    title: 'Ready',
    examples: [{ status: 'ready', checks: { phase: 'ready', undamaged: true, writable: true } }],
  },
);
