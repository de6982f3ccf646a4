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
    'Worker threads, and processes in which `select` and `remove` are applied; each is started when it is needed.',
    'What a small machine has cores for.',
  ),
  queueMax: row(
    1,
    100_000,
    'Documents of one caller that wait for a worker thread, and as many for a process, bulk requests apart; 503 beyond.',
    'Bounds memory and waiting.',
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
    'Megabytes of JavaScript heap of a process for selectors; must hold the largest tree that EXTRACT_NODES_MAX allows.',
    'A tree at that limit needs 213: beyond it V8 would end the process, and not say which limit was met.',
  ),
});
