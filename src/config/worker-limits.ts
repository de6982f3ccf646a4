import { DEFAULT_PIPELINE_LIMITS, type PipelineLimits } from '../workers/limits.ts';
import { limitSettings, row } from './limit-settings.ts';

const MIB = 2 ** 20;

/** Where documents are turned into sketches, and what one may cost there. */
export const workerLimitSettings = limitSettings<'WORKERS_', PipelineLimits>('WORKERS_', DEFAULT_PIPELINE_LIMITS, {
  inlineHtmlBytesMax: row(
    0,
    16 * MIB,
    'HTML up to this size is processed on the event loop, larger in a worker.',
    'It holds the event loop for about a millisecond; handing it over costs as much.',
  ),
  inlineTextBytesMax: row(
    0,
    16 * MIB,
    'Plain text up to this size is processed on the event loop, larger in a worker.',
    'Text costs a fraction of what HTML does.',
  ),
  threads: row(
    1,
    256,
    'Worker threads, started when the first document needs one.',
    'What a small machine has cores for.',
  ),
  queueMax: row(
    1,
    100_000,
    'Documents that wait for a worker, those of bulk requests apart; further ones are answered 503.',
    'Bounds memory.',
  ),
  bulkQueueMax: row(
    1,
    1_000_000,
    'Documents of bulk requests that wait for a worker; further ones wait before it, for BULK_WAIT_MS at the most.',
    'As many lines as BULK_REQUESTS_MAX requests have at work by BULK_LINES_IN_FLIGHT_MAX.',
  ),
  timeoutMs: row(
    10,
    600_000,
    'How long a worker may take for one document.',
    'The largest honest page needs a tenth of it.',
  ),
  memoryMb: row(
    32,
    65_536,
    'Megabytes of JavaScript heap of a worker; must hold the largest tree that EXTRACT_NODES_MAX allows.',
    'A tree at that limit needs 213: beyond it V8 would end the whole process.',
  ),
});
