import { ShingledError } from '../errors.ts';
import type { IngestSources } from '../ingest/sources.ts';

/** What `shingled ingest` reads from. @throws (its calls) ShingledError `invalid-config` for an input that nothing reads */
export function createIngestSources(): IngestSources {
  const refuse = (input: string): never => {
    throw new ShingledError('invalid-config', `There is no reader for ${input}.`);
  };
  return {
    openInputs: (inputs) => refuse(inputs.join(' ')),
    openList: refuse,
    close: async () => {},
  };
}
