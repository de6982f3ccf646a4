import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DamagedInputs, FORMAT_NAMES } from '../../support/ingest/damaged/damaged-inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Seeds that have shown something. */
const SHOWN: Readonly<Record<string, readonly number[]>> = { parquet: [830, 1004], zip: [302_191] };

describe('a damaged input', () => {
  it.each(FORMAT_NAMES)(
    'ends no reader, and loses nothing that is sound: %s (many in npm run campaign:damaged)',
    async (format) => {
      const inputs = new DamagedInputs(join(temporaryFolder(), 'input'));
      for (const seed of [1, 2, ...(SHOWN[format] ?? [])]) {
        const { how, faults } = await inputs.trial(format, seed);
        // how busy the machine is says nothing here
        expect([seed, how, faults.filter((fault) => !fault.startsWith('it took'))]).toEqual([seed, how, []]);
      }
      await inputs.close();
    },
  );
});
