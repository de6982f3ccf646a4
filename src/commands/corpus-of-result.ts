import { join } from 'node:path';
import type { Corpus, CorpusSink } from '../cluster/port.ts';
import { readResult } from '../cluster/result/result-folder.ts';
import { haveMarks, readSketches, sketchesIn } from '../cluster/result/sketch-file.ts';
import { UrlFile } from '../cluster/result/url-file.ts';
import { textGroups } from '../cluster/text-groups.ts';
import { ShingledError } from '../errors.ts';
import { refuseOther } from './corpus-of-index.ts';

/* A corpus that was clustered before, from its result and the sketches that were kept with it. */

const ROOM_EVERY = 4096;
/** Texts on their way, and numbers of all of them. */
const READING_BYTES = 128 * 2 ** 20;

/**
 * @param folder of a finished result
 * @param fingerprintIds of which its fingerprints must be, the running version's first
 * @param hasMarks whether its texts must say which part of them is main
 * @throws ShingledError `invalid-request` where it has no sketches, `result-damaged`, `index-mismatch`
 */
export function corpusOfResult(folder: string, fingerprintIds: readonly string[], hasMarks = false): Corpus {
  const sketches = sketchesIn(folder);
  if (sketches === null) {
    const detail = `${folder} has no sketches to be held against: make it with "shingled cluster --sketches", or name what it was made of.`;
    throw new ShingledError('invalid-request', detail, { field: 'against' });
  }
  if (hasMarks && sketches.texts > 0 && !haveMarks(sketches)) {
    const detail = `${folder} was made by pages, and its sketches do not say what their main texts are: make it with "shingled cluster --sketches --content main", or name what it was made of.`;
    throw new ShingledError('invalid-request', detail, { field: 'content' });
  }
  refuseOther(folder, sketches.fingerprintId, fingerprintIds);
  const read = async (sink: CorpusSink, told: (records: number) => void, signal: AbortSignal | undefined) => {
    const { documents, summary } = readResult(folder);
    const urls = new UrlFile(join(folder, 'urls'), documents.urlStarts, summary.files.urls);
    const turn = async (at: number) => {
      if (at % ROOM_EVERY !== 0) return;
      signal?.throwIfAborted();
      await sink.room();
    };
    try {
      const numbers: number[] = [];
      for (const group of textGroups(readSketches(folder, sketches), ({ sample }) => sample)) {
        for (const number of sink.contents(group)) {
          numbers.push(number);
          await turn(numbers.length);
        }
        await sink.room();
      }
      if (numbers.length !== summary.counts.texts) {
        throw new ShingledError('result-damaged', `The sketches in ${folder} are not those of its result.`);
      }
      for (let at = 0; at < documents.count; at++) {
        const date = documents.dates[at] ?? Number.NaN;
        sink.document({
          ...{ content: numbers[documents.contents[at]!]!, url: urls.of(at) },
          ...{ date: Number.isNaN(date) ? null : date, record: documents.records[at]! },
        });
        await turn(at + 1);
        if (at % ROOM_EVERY === 0) told(at);
      }
      return { records: documents.count, leftOut: {}, fingerprintId: sketches.fingerprintId };
    } finally {
      urls.close();
    }
  };
  const { sha256, bytes: inputBytes } = sketches;
  return { names: [folder], fingerprint: `result ${sha256}`, inputBytes, readingBytes: READING_BYTES, readInto: read };
}
