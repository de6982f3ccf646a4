import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS as LIMITS } from '../../../../src/ingest/limits.ts';
import { csvReader } from '../../../../src/ingest/records/tables/csv.ts';
import { brief, plainFile, readAndResume } from '../../../support/ingest/opened.ts';
import { recordMap } from '../../../support/ingest/record-map.ts';

const WITH_HEADER = { delimiter: ',', quote: '"', escapedBy: null, hasHead: true };
const NUMBERED = recordMap({ url: '1', text: '2' });

describe('rows with escapes', () => {
  it('are read as databases write them', async () => {
    const dump = { delimiter: '\t', quote: null, escapedBy: '\\', hasHead: false };
    const lines = ['u:1\ta\\tb\\\\n', 'u:2\t\\N', 'u:3\ta\\', 'b\\', 'c', 'u:4\t"x\\\ty'];
    for (const cut of [1, 2, 3, 100]) {
      const items = await readAndResume(csvReader(NUMBERED, dump, LIMITS), plainFile(`${lines.join('\n')}\n`, [cut]));
      expect(items.map(brief)).toEqual([['u:1', 'a\tb\\n'], 'no-text', ['u:3', 'a\nb\nc'], ['u:4', '"x\ty']]);
    }
    const quoted = { ...WITH_HEADER, escapedBy: '\\' };
    const content = 'url,text\r\nu:1,"say \\"hi\\", C:\\new\\\\\nnow ""so"""\r\nu:2,a\\,b\r\n';
    for (const cut of [1, 2, 3, 100]) {
      const items = await readAndResume(csvReader(recordMap(), quoted, LIMITS), plainFile(content, [cut]));
      expect(items.map(brief)).toEqual([
        ['u:1', 'say "hi", C:\\new\\\nnow "so"'],
        ['u:2', 'a,b'],
      ]);
    }
  });
});
