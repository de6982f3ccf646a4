import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { faultyDocuments } from '../support/workers/faulty-documents.ts';

/*
 * A document that cannot be read is refused by itself, on every way that takes many: the sound ones beside it are kept, and it
 * is named.
 */

const DOCUMENT_BYTES_MAX = 260 * 1024;
/** One for each part of the pipeline that reads a document of its size, and one beyond the limit. */
const SIZES = [350, 64 * 1024 + 1, 256 * 1024 + 1, DOCUMENT_BYTES_MAX + 1];
const ENVIRONMENT = {
  EXTRACT_DOCUMENT_BYTES_MAX: String(DOCUMENT_BYTES_MAX),
  EXTRACT_NODES_MAX: '100',
  BODY_BYTES_MAX: String(2 * 1024 * 1024),
};

const WORDS = 'a rose is a rose and so is every other flower of the garden behind the old house'.split(' ');
const soundText = (i: number) =>
  Array.from({ length: 60 }, (_, at) => WORDS[(at * 7 + i * 3) % 17] + String(i % 5 ? at + i : at)).join(' ');

interface Line {
  readonly url: string;
  /** Of its error; null: it can be read. */
  readonly code: string | null;
  readonly json: string;
}

function linesOf(host: string): Line[] {
  const faults = SIZES.flatMap((size) =>
    faultyDocuments(size).map(({ name, bytes, code, ...how }) => {
      const url = `https://${host}.example/${encodeURIComponent(name)}/${size}`;
      const expected = size > DOCUMENT_BYTES_MAX ? 'body-too-large' : code;
      const json = { op: 'put', url, bytes: Buffer.from(bytes).toString('base64'), ...how };
      return { url, code: expected, json: JSON.stringify(json) };
    }),
  );
  return faults.flatMap((fault, i) => {
    const url = `https://${host}.example/sound/${i}`;
    return [{ url, code: null, json: JSON.stringify({ op: 'put', url, text: soundText(i) }) }, fault];
  });
}

const lines = linesOf('a');
const sound = lines.filter(({ code }) => code === null).map(({ url }) => url);
const faulty = lines.filter(({ code }) => code !== null).map(({ url, code }) => [url, code]);
const counted: Record<string, number> = {};
for (const [, code] of faulty) counted[code!] = (counted[code!] ?? 0) + 1;

/** A folder with the lines as a file. */
function madeFolder() {
  const folder = temporaryFolder();
  const file = join(folder, 'records.ndjson');
  writeFileSync(file, lines.map(({ json }) => `${json}\n`).join(''));
  return { folder, file };
}

const shingled = (...args: string[]) => runHere(args, ENVIRONMENT);
const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const linesIn = (path: string) => jsonLines(readFileSync(path, 'utf8'));

describe('documents that cannot be read, among others that can', () => {
  it('are refused by themselves in a first load, and in another load', async () => {
    const { folder, file } = madeFolder();
    const dataDir = join(folder, 'data');
    for (const way of ['first', 'online']) {
      const errors = join(folder, `${way}.nd`);
      const told = await shingled('ingest', file, '--data-dir', dataDir, '--errors', errors);
      expect([way, told.code], told.err).toEqual([way, 6]);
      expect(linesIn(errors).map(({ url, reason }) => [url, reason])).toEqual(faulty);
    }
    const { out } = await shingled('list', '--data-dir', dataDir, '--json');
    expect(
      jsonLines(out)
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual(sound.toSorted());
  });

  it('are left out of clusters, and counted by their faults', async () => {
    const { folder, file } = madeFolder();
    const { code, out, err } = await shingled('cluster', file, '--out', join(folder, 'result'), '--json');
    expect(code, err).toBe(6);
    const { counts, leftOut } = JSON.parse(out) as { counts: { documents: number }; leftOut: unknown };
    expect([counts.documents, leftOut]).toEqual([sound.length, counted]);
  });

  it('are not judged by dedupe, and stay; nor are they in a corpus against which it judges', async () => {
    const { folder, file } = madeFolder();
    const [kept, removed] = [join(folder, 'kept.ndjson'), join(folder, 'removed.ndjson')];
    const outputs = ['--kept', kept, '--removed', removed, '--json'];
    const { code, out, err } = await shingled('dedupe', file, ...outputs, '--against', file, '--against-only');
    expect(code, err).toBe(6);
    const { notJudged } = JSON.parse(out) as { notJudged: unknown };
    expect(notJudged).toEqual(counted);
    expect(linesIn(kept).map(({ url }) => url)).toEqual(faulty.map(([url]) => url));
    expect(linesIn(removed).map(({ url }) => url)).toEqual(sound);
  });

  it('are answered by themselves in a bulk request', async () => {
    const { folder } = madeFolder();
    const { url } = await serveHere({ ...ENVIRONMENT, DATA_DIR: join(folder, 'served') });
    const body = lines.map(({ json }) => `${json}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await fetch(`${url}/documents`, { method: 'POST', headers, body });
    const answers = jsonLines(await answer.text());
    expect(answers.slice(0, lines.length).map(({ code = null }) => code)).toEqual(lines.map(({ code }) => code));
  });
});
