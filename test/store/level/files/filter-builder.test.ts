import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { FilterBuilder } from '../../../../src/store/level/files/made/filter-builder.ts';
import { tableNumber } from '../../../../src/store/level/files/manifest-file.ts';
import { blockIn, type Handle, handleOf, rowsOf } from '../../../../src/store/level/files/table-blocks.ts';
import { FOOTER_BYTES } from '../../../../src/store/level/files/table-file.ts';
import { ByteReader } from '../../../../src/store/level/format/byte-reader.ts';
import { inFolder } from '../../../support/store/level-folder.ts';
import { below, randomFrom } from '../../../support/store/level-plans.ts';

/** Where a table file of LevelDB has its filter, and its blocks. */
function partsOf(bytes: Buffer): { filter: Handle; blocks: Handle[] } {
  const footer = new ByteReader(bytes, bytes.length - FOOTER_BYTES);
  const [metaindex, index] = [handleOf(footer), handleOf(footer)];
  const handles = (block: Handle) => rowsOf(blockIn(bytes, block)).map(({ value }) => handleOf(new ByteReader(value)));
  return { filter: handles(metaindex)[0]!, blocks: handles(index) };
}

describe('the filter of a table file', () => {
  it('is the one that LevelDB makes for the same blocks', () =>
    inFolder(async (folder) => {
      const level = await openLevel(join(folder, 'db'), true);
      const random = randomFrom(5);
      for (let i = 0; i < 3000; i++) {
        await level.put(
          `s${'x'.repeat(i % 9)}${below(random, 1e9)}`,
          Buffer.alloc(i % 50 === 0 ? 9000 : below(random, 60), i),
        );
      }
      await level.compactRange('', '\u0080');
      await level.close();
      const name = readdirSync(join(folder, 'db')).find((file) => tableNumber(file) !== undefined);
      const bytes = readFileSync(join(folder, 'db', name!));
      const { filter, blocks } = partsOf(bytes);
      expect(blocks.length).toBeGreaterThan(20);
      const builder = new FilterBuilder();
      for (const block of blocks) {
        builder.startBlock(block.offset);
        for (const { key } of rowsOf(blockIn(bytes, block))) builder.add(key.slice(0, -8));
      }
      expect(builder.finish().subarray(0, filter.size)).toEqual(blockIn(bytes, filter));
    }));
});
