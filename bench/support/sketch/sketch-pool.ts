import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { createKernel } from '../../../src/kernel/choose.ts';
import { DocumentWorkers } from '../../../src/workers/document-workers.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/workers/limits.ts';
import type { DocumentInput } from '../../../src/workers/port.ts';
import { createDocumentProcessor } from '../../../src/workers/process-document.ts';

/** What a pool of worker threads did while it was measured. */
export interface PoolRun {
  readonly documents: number;
  /** Bytes of their texts. */
  readonly bytes: number;
  readonly wallMs: number;
  /** CPU time of the whole process, the thread that feeds the workers included. */
  readonly cpuUs: number;
}

const SHINGLE_SIZE = 10;
const SETUP = {
  identity: deriveIdentity(new Uint8Array(32).fill(7), SHINGLE_SIZE),
  limits: DEFAULT_EXTRACT_LIMITS,
  kernel: 'wasm',
} as const;
const RECORD_MODULUS = 4;
/** 500 KB, nearly all that bulk requests hand over at a time. */
const BATCH_DOCUMENTS = 100;
/** One at work, one at hand: it never waits for the thread that feeds it. */
const BATCHES_A_WORKER = 2;
/** Each thread compiles for itself, and three of them share two cores. */
const WARM_UP_MS = 2_000;

/**
 * Sketches plain texts over and over in `threads` worker threads, fed in batches as bulk requests are; texts, digests and
 * all else that a stored document needs included. The event loop that feeds them is one thread more.
 */
export async function measureSketchPool(
  threads: number,
  documents: readonly Uint8Array[],
  measuredMs: number,
): Promise<PoolRun> {
  const workers = new DocumentWorkers({ ...DEFAULT_PIPELINE_LIMITS, setup: SETUP, threads });
  try {
    return await measure(BATCHES_A_WORKER * threads, (batch) => workers.process(batch), documents, measuredMs);
  } finally {
    await workers.close();
  }
}

/** The same on the event loop alone, which hands nothing over. */
export async function measureSketchLoop(documents: readonly Uint8Array[], measuredMs: number): Promise<PoolRun> {
  const { identity, limits, kernel } = SETUP;
  const processDocument = createDocumentProcessor(
    identity,
    createKernel(identity.fingerprint, kernel).sketcher,
    (input) => extract(input, limits),
  );
  const processBatch = async (batch: readonly DocumentInput[]) => {
    for (const input of batch) await processDocument(input);
  };
  return measure(1, processBatch, documents, measuredMs);
}

type ProcessBatch = (batch: readonly DocumentInput[]) => Promise<unknown>;

async function measure(
  lanes: number,
  processBatch: ProcessBatch,
  documents: readonly Uint8Array[],
  measuredMs: number,
): Promise<PoolRun> {
  await feed(lanes, processBatch, documents, WARM_UP_MS);
  return feed(lanes, processBatch, documents, measuredMs);
}

/** Keeps as many batches under way as there are lanes. */
async function feed(
  lanes: number,
  processBatch: ProcessBatch,
  documents: readonly Uint8Array[],
  forMs: number,
): Promise<PoolRun> {
  const inputs = documents.map(inputOf);
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let next = 0;
  let done = 0;
  let bytes = 0;
  const lane = async () => {
    while (performance.now() - startedAt < forMs) {
      const batch = Array.from({ length: BATCH_DOCUMENTS }, () => inputs[next++ % inputs.length]!);
      await processBatch(batch);
      done += batch.length;
      for (const input of batch) bytes += input.bytes.length;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { documents: done, bytes, wallMs: performance.now() - startedAt, cpuUs: user + system };
}

function inputOf(bytes: Uint8Array): DocumentInput {
  const how = { contentType: 'text/plain; charset=utf-8', select: null, remove: null, keepText: false };
  return { bytes, ...how, modulusMax: RECORD_MODULUS };
}
