import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { answerOf, archiveOf, recordOf } from '../ingest/archives.ts';
import { makePdf } from '../pdf/make-pdf.ts';

/* Files of every kind that `ingest` reads, with the same documents in them. */

/** Few enough that the event loop reads them: threads take longer to start. */
export const COUNT = 30;
const MEMBER = 7;

export const urlOf = (n: number) => `https://a.example/${n}`;
export const wordsOf = (n: number) =>
  Array.from({ length: 40 }, (_, at) => ((n + 1) * (at + 7) * 7919).toString(36)).join(' ');
const NUMBERS = Array.from({ length: COUNT }, (_, n) => n);
const RECORDS = NUMBERS.map((n) => ({ url: urlOf(n), text: wordsOf(n) }));
const pageOf = (n: number) => `<html><title>Page ${n}</title><p>${wordsOf(n)}</p></html>`;

const members = (lines: readonly string[], pack: (text: string) => Buffer) =>
  Buffer.concat(
    Array.from({ length: Math.ceil(lines.length / MEMBER) }, (_, at) =>
      pack(lines.slice(at * MEMBER, (at + 1) * MEMBER).join('')),
    ),
  );

function answers(): Buffer[] {
  const records = NUMBERS.map((n) => recordOf(answerOf(pageOf(n)), { url: urlOf(n) }));
  const profile = 'WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest';
  const revisit = recordOf('HTTP/1.1 304 Not Modified\r\n\r\n', {
    ...{ type: 'revisit', url: urlOf(0), date: '2021-01-02T03:04:05Z', more: [profile] },
  });
  const request = recordOf('GET / HTTP/1.1\r\n\r\n', {
    type: 'request',
    contentType: 'application/http; msgtype=request',
  });
  return [
    recordOf('software: test\r\n', { type: 'warcinfo', url: null, contentType: 'application/warc-fields' }),
    request,
  ].concat(records, [revisit]);
}

const BYTES: Readonly<Record<string, () => Buffer | string>> = {
  'lines.ndjson': () => RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''),
  'lines.ndjson.gz': () =>
    members(
      RECORDS.map((record) => `${JSON.stringify(record)}\n`),
      (text) => gzipSync(text),
    ),
  'lines.ndjson.zst': () =>
    members(
      RECORDS.map((record) => `${JSON.stringify(record)}\n`),
      (text) => zstdCompressSync(text),
    ),
  'list.json': () => JSON.stringify(RECORDS, null, 2),
  'table.csv': () => `url,text\n${RECORDS.map(({ url, text }) => `${url},"${text}"\n`).join('')}`,
  'table.tsv': () => `url\ttext\n${RECORDS.map(({ url, text }) => `${url}\t${text}\n`).join('')}`,
  'table.parquet': () =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'url', data: RECORDS.map(({ url }) => url), type: 'STRING' },
          { name: 'text', data: RECORDS.map(({ text }) => text), type: 'STRING' },
        ],
        rowGroupSize: 25,
      }),
    ),
  'crawl.warc': () => Buffer.concat(answers()),
  'crawl.warc.gz': () => archiveOf(answers(), 'gzip').bytes,
  'crawl.wet.gz': () =>
    archiveOf(
      NUMBERS.map((n) => recordOf(wordsOf(n), { type: 'conversion', url: urlOf(n), contentType: 'text/plain' })),
      'gzip',
    ).bytes,
};

export const KINDS = [...Object.keys(BYTES), 'folder'];

const CHANGED_AT_S = 1_700_000_000;

/** Makes one. @returns its path */
export function inputFile(folder: string, kind: string): string {
  const path = join(folder, kind);
  if (kind !== 'folder') {
    writeFileSync(path, BYTES[kind]!());
    return path;
  }
  for (const n of NUMBERS) {
    mkdirSync(join(path, String(n % 4)), { recursive: true });
    const file = join(path, String(n % 4), `${n}.html`);
    writeFileSync(file, pageOf(n));
    // so long ago that its mark is sure, however slow the machine is
    utimesSync(file, CHANGED_AT_S, CHANGED_AT_S);
  }
  return path;
}

/** One page, in lines that it has room for. */
export const pdfFile = (text: string) => makePdf([text.match(/(?:\S+\s*){1,6}/g)!.map((line) => line.trim())]);
