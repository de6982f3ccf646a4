import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PostingSpill, TOPS } from '../../src/spill/posting-spill.ts';
import { readChunks } from '../../src/spill/spilled-chunks.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

it('gives back by the first bits what was added, in its order, whichever numbers come', async () => {
  const posting = fc.record({
    top: fc.constantFrom(0, 7, 255),
    low: fc.nat(2 ** 32 - 1),
    step: fc.oneof(fc.nat(3), fc.constantFrom(253, 254, 255, 256, 70_000, -1, -300)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(posting, { maxLength: 200 }), fc.nat(2 ** 31), async (postings, first) => {
      const path = join(temporaryFolder(), 'postings');
      const spill = await PostingSpill.create(path, 16);
      const expected = Array.from({ length: TOPS }, () => [] as [number, number][]);
      let number = first;
      for (const { top, low, step } of postings) {
        number = Math.max(0, number + step);
        spill.addOne(number, top * 2 ** 32 + low);
        expected[top]!.push([low, number]);
      }
      expect(spill.count).toBe(postings.length);
      const layout = await spill.seal();
      await spill.close();
      expect(layout.counts).toEqual(expected.map(({ length }) => length));
      const file = openSync(path, 'r');
      for (const top of [0, 7, 8, 255]) {
        const found: [number, number][] = [];
        for (const { low, numbers } of readChunks(file, layout, top))
          for (const [i, one] of low.entries()) found.push([one, numbers[i]!]);
        expect(found).toEqual(expected[top]);
      }
      closeSync(file);
    }),
    { numRuns: 60 },
  );
});

/** Where files may grow to 512 KiB: what the spill says while there is more, and when it is to be sealed. */
const SCRIPT = `
import { PostingSpill } from ${JSON.stringify(new URL('../../src/spill/posting-spill.ts', import.meta.url).href)};
const spill = await PostingSpill.create(process.argv[1], 1024, true);
const codeOf = async (work) => work().then(() => null, ({ code }) => code);
for (let number = 0; number < 300_000; number++) spill.addOne(number, (number % 256) * 2 ** 32);
console.log(JSON.stringify([await codeOf(async () => spill.check()), await codeOf(() => spill.seal())]));
await spill.close();
`;

it('says what a disk refused in the middle, and never seals what is not there', () => {
  const run = 'ulimit -f 1024; exec "$0" --input-type=module --eval "$1" "$2"';
  const path = join(temporaryFolder(), 'postings');
  const { stdout, status } = spawnSync('sh', ['-c', run, process.execPath, SCRIPT, path], { encoding: 'utf8' });
  expect([status, JSON.parse(stdout)]).toEqual([0, ['storage-full', 'storage-full']]);
});
