import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { EXTRACT_LIMIT_ROWS, extractLimits } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import { DEFAULT_PIPELINE_LIMITS, PIPELINE_LIMIT_ROWS } from '../workers/limits.ts';
import { createDocumentPipeline, type PipelineOptions } from '../workers/pool.ts';
import type { DocumentPipeline } from '../workers/port.ts';

/** What reads documents and makes their sketches, as it is configured. @throws ShingledError `invalid-config` */
export function openDocuments(
  config: Config,
  identity: Identity,
  told: Pick<PipelineOptions, 'onWorked'> = {},
): DocumentPipeline {
  return createDocumentPipeline({
    ...DEFAULT_PIPELINE_LIMITS,
    ...limitsFrom(config, 'WORKERS_', PIPELINE_LIMIT_ROWS),
    limits: extractLimits(limitsFrom(config, 'EXTRACT_', EXTRACT_LIMIT_ROWS)),
    identity,
    ...told,
  });
}
