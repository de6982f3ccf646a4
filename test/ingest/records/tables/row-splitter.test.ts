import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../../src/ingest/limits.ts';
import { csvReader } from '../../../../src/ingest/records/tables/csv.ts';
import { brief, plainFile, readAndResume } from '../../../support/ingest/opened.ts';
import { recordMap } from '../../../support/ingest/record-map.ts';

const COMMAS = { delimiter: ',', quote: '"', escapedBy: null, hasHead: true };
const read = csvReader(recordMap(), COMMAS, DEFAULT_INGEST_LIMITS);

describe('rows of a table', () => {
  it.each([
    ['LF', '\n', '\n'],
    ['CR LF', '\r\n', '\r\n'],
    ['both', '\n', '\r\n'],
    ['CR', '\r', '\r'],
    ['CR, and CR LF between', '\r', '\r\n\r'],
  ])('passes over runs of blank lines, and counts them: %s', async (_, end, blank) => {
    const each = blank === '\r\n\r' ? 2 : 1;
    const text = `url,text${end}${blank.repeat(300)}u:1,a${end}${blank.repeat(50)}u:2,"b${end}${end}"${end}${blank.repeat(7)}`;
    for (const cut of [1, 7, 64, 5000]) {
      const items = await readAndResume(read, plainFile(text, [cut]));
      expect(items.map((item) => [item.at, brief(item)])).toEqual([
        [`row ${2 + 300 * each}`, ['u:1', 'a']],
        [`row ${3 + 350 * each}`, ['u:2', `b${end}${end}`]],
      ]);
    }
  });
});
