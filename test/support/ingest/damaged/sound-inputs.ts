import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { docxParagraph, makeDocx, makeEpub, makeOdt, makeRtf, odtParagraph } from '../../office/make-office.ts';
import { makePdf } from '../../pdf/make-pdf.ts';
import type { Prng } from '../../prng.ts';
import { answerOf, recordOf } from '../archives.ts';
import { tarOf, zipOf } from '../document-archives.ts';

/* Small sound inputs of each format that is read, for tests that damage them. */

/** A record, and where it lies in an input that is not packed. */
export interface SoundRecord {
  readonly url: string;
  readonly from: number;
  readonly to: number;
}

export interface SoundInput {
  /** Of its file. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Records in their order; none where their places are not known. */
  readonly records: readonly SoundRecord[];
  /** Whether reading goes on behind damage at the next sound record. */
  readonly goesOn: boolean;
}

export type InputMaker = (prng: Prng) => SoundInput | Promise<SoundInput>;

const WORDS = 'a record of an input that is read to its end whatever is damaged in it and none of the others is lost';

function textOf(prng: Prng): string {
  const words = WORDS.split(' ');
  const count = prng.below(20) === 0 ? 3000 : 5 + prng.below(60);
  return Array.from({ length: count }, () => `${words[prng.below(words.length)]}${prng.below(1000)}`).join(' ');
}

interface Page {
  readonly url: string;
  readonly text: string;
}

const pagesOf = (prng: Prng): Page[] =>
  Array.from({ length: 2 + prng.below(20) }, (_, i) => ({ url: `https://a.example/page-${i}`, text: textOf(prng) }));

/** Records one behind the other. @param around what stands before the first, between two, and behind the last */
function listed(
  name: string,
  pages: readonly Page[],
  recordBytes: (page: Page) => Buffer | string,
  { before = '', between = '', behind = '', goesOn = false },
): SoundInput {
  const parts: Buffer[] = [Buffer.from(before)];
  let at = parts[0]!.length;
  const records = pages.map((page, i) => {
    const bytes = Buffer.from(recordBytes(page));
    const gap = Buffer.from(i === 0 ? '' : between);
    parts.push(gap, bytes);
    const from = at + gap.length;
    at = from + bytes.length;
    return { url: page.url, from, to: at };
  });
  return { name, bytes: Buffer.concat([...parts, Buffer.from(behind)]), records, goesOn };
}

const ofPages =
  (
    name: string,
    record: (page: Page) => Buffer | string,
    around: { before?: string; between?: string; behind?: string; goesOn?: boolean } = {},
  ): InputMaker =>
  (prng) =>
    listed(name, pagesOf(prng), record, around);

/** One whose records have no places. */
const whole =
  (name: string, make: (pages: readonly Page[]) => Buffer | Promise<Buffer>): InputMaker =>
  async (prng) => ({
    ...{ name, bytes: await make(pagesOf(prng)), records: [], goesOn: false },
  });

const warcRecord = ({ url, text }: Page) => {
  const block = answerOf(`<p>${text}`);
  return recordOf(block, { url, more: [`WARC-Block-Digest: sha1:${createHash('sha1').update(block).digest('hex')}`] });
};
const arcRecord =
  (more: string) =>
  ({ url, text }: Page) => {
    const block = answerOf(`<p>${text}`);
    return Buffer.concat([
      Buffer.from(`${url} 192.0.2.1 20080430204826 text/html ${more}${block.length}\n`),
      block,
      Buffer.from('\n'),
    ]);
  };
const ARC_HEAD = (version: number) => {
  const block = `${version} 0 x\nURL IP-address Archive-date Content-type Archive-length\n`;
  return `filedesc://a.arc 0.0.0.0 20080430204825 text/plain ${block.length}\n${block}\n`;
};
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const docs = ({ url, text }: Page, at: number) => ({ name: `${at}.txt`, content: `${url} ${text}` });
const feed = (entry: (page: Page) => string, before: string, behind: string): InputMaker =>
  ofPages('feed.xml', entry, { before, behind });

/** By their names, those that come as one file. */
export const INPUTS: Readonly<Record<string, InputMaker>> = {
  warc: ofPages('a.warc', warcRecord, { goesOn: true }),
  'warc 0.17': ofPages('a.warc', (page) => warcRecord(page).toString('latin1').replace('WARC/1.0', 'WARC/0.17'), {
    goesOn: true,
  }),
  'arc 1': ofPages('a.arc', arcRecord(''), { before: ARC_HEAD(1) }),
  'arc 2': ofPages('a.arc', arcRecord('200 - - 0 a.arc '), { before: ARC_HEAD(2) }),
  wacz: whole('a.wacz', async (pages) =>
    zipOf([
      { name: 'datapackage.json', content: '{"profile":"data-package"}' },
      { name: 'archive/a.warc', content: Buffer.concat(pages.map(warcRecord)), isStored: true },
    ]),
  ),
  ndjson: ofPages('a.ndjson', (page) => `${JSON.stringify(page)}\n`, { goesOn: true }),
  json: ofPages('a.json', (page) => JSON.stringify(page), {
    before: '{"total":9,"hits":[',
    between: ',',
    behind: ']}',
  }),
  csv: ofPages('a.csv', ({ url, text }) => `${url},${quoted(text)}\r\n`, { before: 'url,text\r\n' }),
  tsv: ofPages('a.tsv', ({ url, text }) => `${url}\t${text}\n`, { before: 'url\ttext\n' }),
  'json feed': whole('feed.json', async (pages) => {
    const items = pages.map(({ url, text }) => ({ id: url, url, content_text: text }));
    return Buffer.from(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'x', items }));
  }),
  rss: feed(
    ({ url, text }) => `<item><title>${text.slice(0, 20)}</title><link>${url}</link></item>`,
    '<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>',
    '</channel></rss>',
  ),
  atom: feed(
    ({ url }) => `<entry><id>${url}</id><link href="${url}"/><updated>2024-01-02T03:04:05Z</updated></entry>`,
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">',
    '</feed>',
  ),
  rdf: feed(
    ({ url }) => `<item rdf:about="${url}"><link>${url}</link></item>`,
    '<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '</rdf:RDF>',
  ),
  sitemap: ofPages('sitemap.xml', ({ url }) => `<url><loc>${url}</loc><lastmod>2024-01-02</lastmod></url>`, {
    ...{ before: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', behind: '</urlset>' },
  }),
  urls: ofPages('urls.txt', ({ url }) => `${url}\n`, { goesOn: true }),
  tar: whole('a.tar', (pages) => tarOf(pages.map(docs))),
  zip: whole('a.zip', async (pages) => zipOf(pages.map(docs))),
  parquet: whole('a.parquet', async (pages) => {
    const column = (name: keyof Page) => ({ name, data: pages.map((page) => page[name]), type: 'STRING' as const });
    const flags = { name: 'flag', data: pages.map((_, i) => (i % 3 === 0 ? null : i)), type: 'INT32' as const };
    const columnData = [column('url'), column('text'), { ...flags, nullable: true }];
    return Buffer.from(
      parquetWriteBuffer({ columnData, rowGroupSize: 7, codec: pages.length % 2 ? 'SNAPPY' : 'UNCOMPRESSED' }),
    );
  }),
};

/** Documents by themselves: each is read as one that is named, and taken apart as such. */
export const DOCUMENTS: Readonly<Record<string, (prng: Prng) => Buffer>> = {
  html: (prng) =>
    Buffer.from(
      `<!doctype html><title>x</title>${pagesOf(prng)
        .map(({ text }) => `<p>${text}</p>`)
        .join('')}`,
    ),
  txt: (prng) => Buffer.from(textOf(prng)),
  pdf: (prng) => makePdf(pagesOf(prng).map(({ text }) => [text.slice(0, 80)])),
  docx: (prng) =>
    makeDocx(
      pagesOf(prng)
        .map(({ text }) => docxParagraph(text))
        .join(''),
      { title: 'x' },
    ),
  odt: (prng) =>
    makeOdt(
      pagesOf(prng)
        .map(({ text }) => odtParagraph(text))
        .join(''),
      { title: 'x' },
    ),
  epub: (prng) =>
    makeEpub(
      pagesOf(prng).map(({ text }) => `<p>${text}</p>`),
      { title: 'x' },
    ),
  rtf: (prng) =>
    makeRtf(
      pagesOf(prng)
        .map(({ text }) => text)
        .join('\\par '),
      { title: 'x' },
    ),
  eml: (prng) => mail(`Content-Type: text/html; charset=utf-8\r\n\r\n<p>${textOf(prng)}</p>`),
  mhtml: (prng) =>
    mail(
      `Content-Type: multipart/related; boundary=b; type="text/html"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>${textOf(prng)}</p>\r\n--b--\r\n`,
    ),
};

const mail = (rest: string) =>
  Buffer.from(`From: a@a.example\r\nTo: b@a.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n${rest}`);
