import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import type { Outcome } from '../../src/workers/port.ts';
import { packAnswer, packTask, unpackAnswer, unpackTask } from '../../src/workers/protocol.ts';

const STARTED = new Int32Array(new SharedArrayBuffer(4));
const spare = fc.integer({ min: 0, max: 12 }).map((power) => new ArrayBuffer(power === 0 ? 0 : 2 ** power));
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });

const input = fc.record({
  bytes: fc.uint8Array({ maxLength: 100 }),
  contentType: nullable(fc.string()),
  select: fc.constant(null),
  remove: fc.constant(null),
  modulusMax: fc.constantFrom(1, 4, 2 ** 30),
  wholeMax: fc.constantFrom(0, 20_000),
  recordFor: fc.constantFrom(0, 8),
  keepText: fc.boolean(),
  isBytesDigestLeftOut: fc.boolean(),
});

const whole = (max: number) => fc.integer({ min: 0, max });
const document = fc.record({
  bytesDigest: fc.string(),
  lexicalDigest: fc.string(),
  contentDigest: fc.string(),
  shingleDigest: fc.string(),
  mediaType: fc.constantFrom('text/html' as const, 'text/plain' as const),
  charset: fc.string(),
  title: nullable(fc.string({ unit: 'binary' })),
  language: nullable(fc.string()),
  text: nullable(fc.uint8Array()),
  sketch: fc.record({
    tokenCount: whole(2 ** 32),
    shingleCount: whole(2 ** 32),
    sample: fc.record({
      modulus: fc.constantFrom(1, 4, 2 ** 40),
      fingerprints: fc.array(whole(2 ** 40 - 1), { maxLength: 50 }).map((values) => Float64Array.from(values)),
    }),
    shingleSum: fc.array(whole(2 ** 32 - 1), { minLength: 4, maxLength: 4 }).map((sum) => Uint32Array.from(sum)),
    whole: nullable(
      fc
        .array(fc.tuple(whole(2 ** 32 - 1), whole(2 ** 32 - 1)), { maxLength: 50 })
        .map((halves) => Uint32Array.from(halves.flat())),
    ),
    main: nullable(
      fc.record({
        shingleCount: whole(2 ** 32),
        shingleSum: fc.uint32Array({ minLength: 4, maxLength: 4 }),
        bits: fc.uint8Array({ maxLength: 20 }),
      }),
    ),
  }),
  record: nullable(
    fc.record({
      encoded: fc.uint8Array({ maxLength: 100 }),
      posted: fc.array(whole(2 ** 40 - 1), { maxLength: 50 }).map((values) => Float64Array.from(values)),
    }),
  ),
});
const error = fc.constantFrom(
  new ShingledError('empty-document', 'The document has no words'),
  new ShingledError('invalid-selector', 'It is none', { field: 'select', limit: { name: 'nodesMax', value: 1 } }),
);

/** What is told of an error: toEqual looks at its message alone. */
const told = (outcome: Outcome) =>
  outcome instanceof ShingledError ? [outcome.code, outcome.message, outcome.field, outcome.limit] : outcome;

describe('what passes between the event loop and a worker', () => {
  it('are the same documents, and none of the memory of their caller', () => {
    fc.assert(
      fc.property(fc.array(input, { minLength: 1 }), spare, (inputs, buffer) => {
        const task = packTask(inputs, STARTED, buffer);
        expect(inputs.every(({ bytes }) => bytes.buffer !== task.buffer)).toBe(true);
        expect(unpackTask(structuredClone(task, { transfer: [task.buffer] }))).toEqual(inputs);
      }),
      { seed: 1997, numRuns: 300 },
    );
  });

  it('are the same answers, and nothing of them is in the buffer that goes back, unless it is their own', () => {
    const answers = fc.array(fc.oneof(document, error), { minLength: 1 });
    fc.assert(
      fc.property(answers, spare, fc.boolean(), (outcomes: Outcome[], buffer, isOurs) => {
        const expected = structuredClone(outcomes.map(told));
        const { answer, transfer } = packAnswer(outcomes, buffer);
        const sent = structuredClone(answer, { transfer });
        const given = unpackAnswer(sent, isOurs);
        for (const outcome of given) {
          if (outcome instanceof ShingledError) continue;
          const { sample, shingleSum, whole } = outcome.sketch;
          for (const view of [shingleSum, whole]) expect(view?.buffer.byteLength).toBe(view?.byteLength);
          if (isOurs) expect(sample.fingerprints.buffer).toBe(sent.buffer);
        }
        if (!isOurs) new Uint8Array(sent.buffer).fill(0xaa);
        expect(given.map(told)).toEqual(expected);
      }),
      { seed: 1997, numRuns: 300 },
    );
  });

  it('goes in the memory that is there, where it is enough', () => {
    const inputs = [
      { bytes: new Uint8Array(3000), contentType: null, select: null, remove: null, modulusMax: 4, keepText: false },
    ];
    const first = packTask(inputs, STARTED, new ArrayBuffer(0)).buffer;
    expect(packTask([...inputs, ...inputs], STARTED, first).buffer).not.toBe(first);
    expect(packTask(inputs, STARTED, first).buffer).toBe(first);
    expect(packAnswer([new ShingledError('empty-document', 'No words')], first).answer.buffer).toBe(first);
  });
});
