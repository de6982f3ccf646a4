import { Buffer } from 'node:buffer';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { createIngestSources } from '../../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../../src/config.ts';
import { streamOf } from '../archives.ts';
import { tarOf, zipOf } from '../document-archives.ts';

/* Inputs that cost their reader what they can, of any size. */

interface WorstInput {
  readonly name: string;
  readonly bytes: Buffer | Promise<Buffer>;
  /** Bytes that are read, where they are others. */
  readonly unpacked?: number;
}

type WorstMaker = (size: number) => WorstInput;

const filled =
  (name: string, filling: string, { before = '', behind = '' } = {}): WorstMaker =>
  (size) => ({
    name,
    bytes: Buffer.concat([Buffer.from(before), Buffer.alloc(size, filling), Buffer.from(behind)]),
  });

/** Of an archive whose head is long. */
const WARC = (more: string) =>
  `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n${more}Content-Length: `;

const repeated =
  (name: string, part: Buffer, unpackedBytes: number): WorstMaker =>
  (size) => {
    const times = Math.ceil(size / Math.max(part.length, unpackedBytes));
    return {
      name,
      bytes: Buffer.concat(Array.from({ length: times }, () => part)),
      unpacked: times * Math.max(part.length, unpackedBytes),
    };
  };

/** By reader and name. */
export const WORST: Readonly<Record<string, WorstMaker>> = {
  'ndjson: empty objects': filled('a.ndjson', '{}\n'),
  'ndjson: no JSON': filled('a.ndjson', 'x\n'),
  'ndjson: one byte and blank lines': filled('a.ndjson', '1\n\n\n'),
  'ndjson: one line of lists': filled('a.ndjson', '['),
  'ndjson: one line of numbers': filled('a.ndjson', '1,', { before: '[', behind: '1]' }),
  'ndjson: lines of many keys': filled('a.ndjson', `{${Array.from({ length: 400 }, (_, i) => `"${i}":1`).join()}}\n`),
  'ndjson: faults at the end': filled('a.ndjson', `{"url":"u:1","text":"${'a '.repeat(30_000)}"x}\n`),
  'json: empty objects': filled('a.json', '{},', { before: '[', behind: '{}]' }),
  'json: empty lists': filled('a.json', '[],', { before: '[{},', behind: '[]]' }),
  'json: numbers among records': filled('a.json', '1,', { before: '[{},', behind: '1]' }),
  'json: open lists': filled('a.json', '['),
  'json: open objects': filled('a.json', '{"a":'),
  'json: broken objects': filled('a.json', '{"a" "b"},', { before: '[', behind: '{}]' }),
  'json: records that begin and never end': filled('a.json', ',{"a":', { before: '[{}' }),
  'json: white space': filled('a.json', ' \n', { before: '[{}', behind: ']' }),
  'json: sparse': filled('a.json', `{}${' '.repeat(4000)},`, { before: '[', behind: '{}]' }),
  'json: quotes': filled('a.json', '"', { before: '[{"a":' }),
  'json: lists of one object': filled('a.json', '[{}],', { before: '{"a":[{}],"b":[', behind: '[{}]]}' }),
  'csv: one field each': filled('a.csv', 'a\n', { before: 'url,text\n' }),
  'csv: blank lines': filled('a.csv', '\n', { before: 'url,text\n' }),
  'csv: delimiters': filled('a.csv', ',', { before: 'url,text\n' }),
  'csv: open quotes': filled('a.csv', '"\n', { before: 'url,text\n' }),
  'csv: quotes within': filled('a.csv', 'a"b,"\n', { before: 'url,text\n' }),
  'csv: doubled quotes': filled('a.csv', '""', { before: 'url,text\n"', behind: '"\n' }),
  'csv: CR alone': filled('a.csv', 'a,b\r', { before: 'url,text\r' }),
  'tsv: tabs': filled('a.tsv', '\t', { before: 'url\ttext\n' }),
  'urls: no URLs': filled('urls.txt', 'x\n', { before: 'http://a.example/\n'.repeat(4000) }),
  'urls: short ones': filled('urls.txt', 'http:a\n', { before: 'http://a.example/\n'.repeat(4000) }),
  'sitemap: elements in elements': filled('s.xml', '<a>', { before: '<urlset>' }),
  'sitemap: empty entries': filled('s.xml', '<url/>', { before: '<urlset>', behind: '</urlset>' }),
  'sitemap: short entries': filled('s.xml', '<url><loc>x</loc></url>', { before: '<urlset>', behind: '</urlset>' }),
  'sitemap: open brackets': filled('s.xml', '<', { before: '<urlset><url><loc>' }),
  'sitemap: ends': filled('s.xml', '</a>', { before: '<urlset>' }),
  'sitemap: references': filled('s.xml', '&amp;', { before: '<urlset><url><loc>' }),
  'sitemap: one attribute': filled('s.xml', 'a', { before: '<urlset><url a="' }),
  'sitemap: attributes': filled('s.xml', ' a="b"', { before: '<urlset><url ', behind: '>' }),
  'sitemap: namespaces': filled('s.xml', '<url xmlns:a="b">', { before: '<urlset>' }),
  'sitemap: a comment': filled('s.xml', '<!--', { before: '<urlset>' }),
  'sitemap: DOCTYPE': filled('s.xml', '<!ENTITY a "b">', { before: '<!DOCTYPE x [', behind: ']><urlset></urlset>' }),
  'feed: empty entries': filled('f.xml', '<item/>', { before: '<rss><channel>', behind: '</channel></rss>' }),
  'json feed: empty entries': filled('f.json', '{},', {
    before: '{"version":"https://jsonfeed.org/version/1.1","items":[',
    behind: '{}]}',
  }),
  'warc: heads alone': filled('a.warc', 'WARC/1.0\r\n\r\n', { before: `${WARC('')}0\r\n\r\n\r\n\r\n` }),
  'warc: marks': filled('a.warc', 'WARC/', { before: `${WARC('')}0\r\n\r\n\r\n\r\n` }),
  'warc: empty lines': filled('a.warc', '\r\n', { before: `${WARC('')}0\r\n\r\n` }),
  'warc: empty records': filled('a.warc', `${WARC('')}0\r\n\r\n\r\n\r\n`),
  'warc: lengths too large': filled('a.warc', `${WARC('')}16000000\r\n\r\n`),
  'warc: wrong ends': filled('a.warc', `${WARC('')}3\r\n\r\n`),
  'warc: many fields': filled('a.warc', `${WARC('a: b\r\n'.repeat(8000))}0\r\n\r\n\r\n\r\n`),
  'arc: short heads': filled('a.arc', 'http://a/ 1.1.1.1 20080430204826 text/html 0\n\n', {
    before: 'filedesc://a 0.0.0.0 20080430204825 text/plain 2\n1\n\n',
  }),
  'arc: lines that may be heads': filled('a.arc', 'http://a/ 1\n', {
    before: 'filedesc://a 0.0.0.0 20080430204825 text/plain 2\n1\n\n',
  }),
  'gzip: tiny members': repeated('a.ndjson.gz', gzipSync('{}\n'), 3),
  'gzip: empty members': repeated('a.ndjson.gz', gzipSync(''), 0),
  'gzip: marks': filled('a.ndjson.gz', Buffer.from([0x1f, 0x8b, 0x08]).toString('latin1')),
  'gzip: zeros': repeated('a.ndjson.gz', gzipSync(Buffer.alloc(16_000)), 16_000),
  'zstd: tiny frames': repeated('a.ndjson.zst', zstdCompressSync('{}\n'), 3),
  'zstd: empty frames': repeated('a.ndjson.zst', zstdCompressSync(''), 0),
  'zstd: skipped frames': repeated('a.ndjson.zst', Buffer.from('502a4d1800000000', 'hex'), 0),
  'zstd: marks': (size) => ({ name: 'a.ndjson.zst', bytes: Buffer.alloc(size, Buffer.from('28b52ffd', 'hex')) }),
  'tar: empty members': (size) => ({
    name: 'a.tar',
    bytes: tarOf([{ name: 'a.txt', content: '' }]).then((one) =>
      Buffer.concat([...Array.from({ length: size / 512 }, () => one.subarray(0, 512)), Buffer.alloc(1024)]),
    ),
  }),
  'zip: empty members': (size) => ({
    name: 'a.zip',
    bytes: zipOf(Array.from({ length: Math.min(65_000, size / 100) }, (_, i) => ({ name: `${i}.txt`, content: '' }))),
  }),
};

/** Reads such an input as the command line does. */
export async function worstTrial(folder: string, make: WorstMaker, megabytes: number) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { name, bytes: making, unpacked } = make(megabytes * 1e6);
  const bytes = await making;
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const sources = createIngestSources(readConfig({}).config, streamOf(Buffer.alloc(0)));
  const fields = {
    ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: 'https://b.example/', format: null },
    ...{ include: [], exclude: [], gitignore: false },
  };
  const before = process.cpuUsage();
  let items = 0;
  for await (const { items: runs } of sources.openInputs(await sources.find([path]), fields, null)) {
    for await (const run of runs) items += run.length;
  }
  const { user, system } = process.cpuUsage(before);
  await sources.close();
  return { bytes: bytes.length, unpacked: unpacked ?? bytes.length, items, seconds: (user + system) / 1e6 };
}
