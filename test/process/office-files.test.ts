import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FILE_TYPES } from '../../src/features/file-types.ts';
import { docxParagraph, makeDocx, makeEpub, makeOdt, makeRtf, odtParagraph } from '../support/office/make-office.ts';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const TEXT = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
const FILES = {
  'a.docx': makeDocx(docxParagraph(TEXT)),
  'a.odt': makeOdt(odtParagraph(TEXT)),
  'a.epub': makeEpub([`<p>${TEXT}</p>`]),
  'a.rtf': makeRtf(TEXT),
  'a.eml': Buffer.from(`MIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n${TEXT}\r\n`),
  'a.mhtml': Buffer.from(
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>${TEXT}\r\n--b--\r\n`,
  ),
  // what it is its bytes say
  unnamed: makeDocx(docxParagraph(TEXT)),
  'a.txt': Buffer.from(TEXT),
};
const NAMES = Object.keys(FILES);
const URLS = NAMES.map((name) => `https://a.example/${name}`).toSorted();

interface Similar {
  readonly matches: readonly { readonly sources: readonly { readonly url: string }[] }[];
}

it('office documents, books and mail are one content with their text: of a folder, by PUT, and asked about', async () => {
  const folder = temporaryFolder();
  const files = join(folder, 'files');
  mkdirSync(files);
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(files, name), bytes);
  const environment = { DATA_DIR: join(folder, 'index') };
  const prefix = ['--url-prefix', 'https://a.example/'];
  expect(await runHere(['ingest', files, ...prefix], environment)).toMatchObject({ code: 0 });
  const { out } = await runHere(['similar', join(files, 'a.docx'), '--json'], environment);
  const { matches } = JSON.parse(out) as Similar;
  expect(matches.map(({ sources }) => sources.map((source) => source.url).toSorted())).toEqual([URLS]);
  // each by itself, where its name or its bytes say what it is
  const named = NAMES.map((name) => join(files, name));
  expect(await runHere(['ingest', ...named, ...prefix], { DATA_DIR: join(folder, 'named') })).toMatchObject({
    code: 0,
  });
  const { url } = await serveHere({ DATA_DIR: join(folder, 'served') });
  for (const [name, type] of [
    ['a.docx', FILE_TYPES.docx],
    ['a.odt', FILE_TYPES.odt],
    ['a.epub', FILE_TYPES.epub],
    ['a.rtf', 'text/rtf'],
    ['a.eml', FILE_TYPES.mail],
    ['a.mhtml', 'multipart/related; boundary=b'],
  ] as const) {
    const body = new Uint8Array(FILES[name]);
    const put = await fetch(`${url}/documents?url=https://b.example/${name}`, {
      ...{ method: 'PUT', headers: { 'content-type': type }, body },
    });
    expect([name, put.status]).toEqual([name, 201]);
    const bytes = FILES[name].toString('base64');
    const compared = await fetch(`${url}/compare`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ a: { bytes, contentType: type }, b: { text: TEXT } }),
    });
    expect(await compared.json()).toMatchObject({ equivalence: 'lexical', resemblance: { exact: 1 } });
  }
});
