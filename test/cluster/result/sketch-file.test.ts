import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withSketches } from '../../../src/cluster/result/sketch-file.ts';
import { corpusOf } from '../../support/cluster/set-corpus.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Files of a folder that this process has open. */
const openIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', descriptor));
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // that of the listing itself
      return [];
    }
  });

it.runIf(process.platform === 'linux')('leaves no file of sketches open where reading fails', async () => {
  const folder = temporaryFolder();
  let during: string[] = [];
  const failing = async () => {
    during = openIn(folder);
    throw new Error('no more');
  };
  const sink = { contents: () => [], document: () => undefined, room: async () => undefined };
  const corpus = withSketches({ ...corpusOf([]), readInto: failing }, folder);
  await expect(corpus.readInto(sink, () => undefined, undefined)).rejects.toThrow('no more');
  expect([during.length, openIn(folder)]).toEqual([1, []]);
});
