import { describe, expect, it } from 'vitest';
import { type ByteFormat, type Detected, detectFormat } from '../../../src/ingest/inputs/detect.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { readerOf } from '../../../src/ingest/readers.ts';
import { brief, plainFile, readAndResume } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const PARTS = {
  map: recordMap(),
  limits: { ...DEFAULT_INGEST_LIMITS, documentBytesMax: 20 },
  table: {},
  urlPrefix: 'https://a.example/',
  mtimeMs: 5.5,
};
const document = readerOf({ format: 'document' }, PARTS);

describe('a file that is a document', () => {
  it('is read whole, with the date of its last change', async () => {
    const items = await readAndResume(document, plainFile('<p>One page</p>', [4]));
    expect(items).toMatchObject([
      { operation: { url: 'https://a.example/file.x', observedAt: 5, body: { contentType: null } } },
    ]);
    const named = await readAndResume(readerOf({ format: 'document' }, { ...PARTS, urlPrefix: null }), plainFile('x'));
    expect(named).toMatchObject([{ operation: { url: expect.stringMatching(/^file:\/\/\/.*folder\/file\.x$/) } }]);
  });

  it('is refused where it is empty or too large', async () => {
    expect((await readAndResume(document, plainFile(''))).map(brief)).toEqual(['no-text']);
    expect((await readAndResume(document, plainFile('x'.repeat(21), [7]))).map(brief)).toEqual(['too-large']);
  });
});

const isOfBytes = (detected: Detected): detected is ByteFormat =>
  !['parquet', 'warc', 'arc', 'tar', 'zip'].includes(detected.format);

describe('the reader of a file', () => {
  it.each([
    ['ndjson', '{"url":"u:1","text":"a"}\n'],
    ['json', '[{"url":"u:1","text":"a"}]'],
    ['csv', 'url,text\nu:1,a\n'],
    ['tsv', 'url\ttext\nu:1\ta\n'],
  ] as const)('is found by its format: %s', async (told, content) => {
    const detected = detectFormat({ file: 'x', head: Buffer.from(content), isWhole: true }, told);
    if (!isOfBytes(detected)) throw new Error(detected.format);
    expect((await readAndResume(readerOf(detected, PARTS), plainFile(content))).map(brief)).toEqual([['u:1', 'a']]);
  });

  it.each([
    ['urls', 'https://a.example/1\n'],
    ['sitemap', '<urlset><url><loc>https://a.example/1</loc></url></urlset>'],
    ['feed', '{"items":[{"url":"https://a.example/1"}]}'],
    ['feed', '<rss><channel><item><link>https://a.example/1</link></item></channel></rss>'],
  ] as const)('is found for lists, too: %s', async (told, content) => {
    const detected = detectFormat({ file: 'x', head: Buffer.from(content), isWhole: true }, told);
    if (!isOfBytes(detected)) throw new Error(detected.format);
    expect((await readAndResume(readerOf(detected, PARTS), plainFile(content))).map(brief)).toEqual([
      'https://a.example/1',
    ]);
  });
});
