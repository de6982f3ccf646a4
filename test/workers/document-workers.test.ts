import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { DocumentWorkers } from '../../src/workers/document-workers.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../src/workers/limits.ts';
import { IDENTITY, input } from '../support/pipeline.ts';

let workers: DocumentWorkers | null = null;
afterEach(() => workers?.close());

describe('a document that fills the heap of its worker, since the limits of its tree are too wide', () => {
  it.each([
    ['elements', '<br>'.repeat(600_000)],
    ['elements and texts', '<br>x'.repeat(400_000)],
    ['parts of one text', '<'.repeat(4_000_000)],
  ])('%s: is ended, and its worker is replaced', async (_what, page) => {
    workers = new DocumentWorkers({
      ...DEFAULT_PIPELINE_LIMITS,
      identity: IDENTITY,
      limits: { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 10_000_000, nodesMax: 1e9 },
      kernel: 'wasm',
      threads: 1,
      timeoutMs: 25_000,
      memoryMb: 64,
    });
    await expect(workers.process([input(page, { select: 'p' })])).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'memoryMb', value: 64 },
    });
    expect(await workers.process([input('<p>a rose', { select: 'p' })])).toMatchObject([{ sketch: { tokenCount: 2 } }]);
  });
});
