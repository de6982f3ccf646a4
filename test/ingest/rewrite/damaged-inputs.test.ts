import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode } from '../../support/extract/encode.ts';
import { answerOf, blockDigest, recordOf } from '../../support/ingest/archives.ts';
import { readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/*
 * Inputs that somebody damaged. Whatever ingest reads of them and is kept is read again of the copy, in its order; nothing
 * else is, and nothing of it is damaged, but where a broken line or record is kept as it is.
 */

const words = fc.lorem({ maxCount: 8 });
const texts = fc.array(words, { minLength: 2, maxLength: 20 });

function answer(text: string, n: number): Buffer {
  const block = answerOf(text);
  return recordOf(block, { url: `u:${n}`, more: [blockDigest(block)] });
}

const CONTENTS: Readonly<Record<string, (all: readonly string[]) => (string | Buffer)[]>> = {
  'lines.ndjson': (all: readonly string[]) => all.map((text, n) => `${JSON.stringify({ url: `u:${n}`, text })}\n`),
  'table.csv': (all: readonly string[]) => ['url,text\n', ...all.map((text, n) => `u:${n},"${text}\n, more"\n`)],
  'old.csv': (all: readonly string[]) => ['url,text\r', ...all.map((text, n) => `u:${n},${text}\r`)],
  'old.ndjson': (all: readonly string[]) => all.map((text, n) => `${JSON.stringify({ url: `u:${n}`, text })}\r`),
  'list.json': (all: readonly string[]) =>
    all.map((text, n) => `${n === 0 ? '[' : ',\n'}${JSON.stringify({ url: `u:${n}`, text })}`).concat(']'),
  'crawl.warc': (all: readonly string[]) => all.map(answer),
};

const ONE_MEMBER = ' one member.gz';
const PACKINGS: Readonly<Record<string, (parts: readonly Buffer[]) => Buffer>> = {
  '': (parts: readonly Buffer[]) => Buffer.concat(parts),
  '.gz': (parts: readonly Buffer[]) => Buffer.concat(parts.map((part) => gzipSync(part))),
  '.zst': (parts: readonly Buffer[]) => Buffer.concat(parts.map((part) => zstdCompressSync(part))),
  [ONE_MEMBER]: (parts: readonly Buffer[]) => gzipSync(Buffer.concat(parts)),
};

interface Change {
  readonly at: number;
  readonly cut: number;
  readonly put: Uint8Array;
}

const change = fc.record({
  at: fc.nat(),
  cut: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 300 })),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom('"', '{', '}', ']', ',', '\n').map((text) => Buffer.from(text)),
  ),
});

function changed(bytes: Buffer, first: number, changes: readonly Change[]): Buffer {
  let all = bytes;
  for (const { at, cut, put } of changes) {
    // the first part stays: by it is told what the file holds
    const place = first + (at % Math.max(1, all.length - first));
    all = Buffer.concat([all.subarray(0, place), put, all.subarray(place + cut)]);
  }
  return all;
}

const cases = Object.keys(CONTENTS).flatMap((name) => Object.keys(PACKINGS).map((packing) => [name, packing] as const));
const UTF8 = 'utf-8';
/** With letters whose second byte is that of a bracket or a backslash, or all of whose bytes are letters. */
const LETTERS: Readonly<Record<string, string>> = { 'windows-1251': 'Ж}', shift_jis: '表ソ', 'utf-16le': '中😀' };
const casesOfCharsets = Object.keys(CONTENTS).flatMap((name) =>
  Object.keys(LETTERS)
    .filter((charset) => !name.endsWith('.warc') && !(name.endsWith('.json') && charset === 'utf-16le'))
    .map((charset) => [name, '.gz', charset] as const),
);

describe('damaged inputs', () => {
  it.each([...cases.map((one) => [...one, UTF8] as const), ...casesOfCharsets])(
    'are copied as ingest passes over them: %s%s in %s',
    async (name, packing, charset) => {
      const folder = temporaryFolder();
      const path = join(
        folder,
        name.replace('.', `${packing.replace(/\..*/, '')}.`) + (/\.\w+$/.exec(packing)?.[0] ?? ''),
      );
      // its codes lie at the beginning: where they are damaged nothing tells what the file holds
      const format = packing === ONE_MEMBER ? { format: formatOf(name) } : {};
      const told = { fields: { ...format, ...(charset === UTF8 ? {} : { charset }) } };
      const bytesOf = (part: string | Buffer) =>
        charset === UTF8 ? Buffer.from(part) : encode(part.toString(), charset);
      const more = charset === UTF8 ? '' : LETTERS[charset];
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          texts,
          fc.array(change, { minLength: 1, maxLength: 3 }),
          fc.infiniteStream(fc.boolean()),
          async (all, changes, choose) => {
            const parts = CONTENTS[name]!(all.map((text) => `${text}${more}`)).map(bytesOf);
            const pack = PACKINGS[packing]!;
            writeFileSync(path, changed(pack(parts), pack(parts.slice(0, 1)).length, changes));
            const read = await readAll([path], told);
            const kept = new Set(read.filter(() => choose.next().value).map(({ record }) => record));
            const out = join(folder, `${++runs}.${name}`);
            const result = await rewrite([path], out, (_input, record) => kept.has(record), told);
            // one that is told by nothing but a line that is no record cannot be read again
            const again =
              result.copied === 0 ? [] : await readAll([out], { fields: { ...told.fields, format: formatOf(name) } });
            const sound = (items: typeof read) =>
              items.map(({ brief }) => brief).filter((brief) => Array.isArray(brief));
            expect(sound(again)).toEqual(sound(read.filter(({ record }) => kept.has(record))));
            expect(result.lastRecords).toEqual([read.at(-1)?.record ?? 0]);
            if (name.endsWith('.warc')) return;
            expect(result.asked).toEqual(read.map(({ record }) => `0:${record}`));
            expect(again.filter(({ brief }) => brief === 'damaged')).toEqual([]);
            expect(again.length).toBeLessThanOrEqual(kept.size);
          },
        ),
        { numRuns: charset === UTF8 ? 15 : 5, seed: 34 },
      );
    },
  );

  it('lose a row whose quote is open: nearer to the next quote than it was, it would swallow what is between', async () => {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'in.csv'), join(folder, 'out.csv')];
    const plain = Array.from({ length: 60 }, (_, n) => `u:${n + 3},plain words of a row\n`);
    writeFileSync(path, `url,text\nu:1,a\nu:2,"open\n${plain.join('')}u:99,"quoted"\n`);
    const limits = { limits: { recordBytesMax: 1024 } };
    const read = await readAll([path], limits);
    const open = read.find(({ brief }) => !Array.isArray(brief))!.record;
    const last = read.at(-1)!.record;
    const keeps = (_input: number, record: number) => [2, open, last].includes(record);
    expect(await rewrite([path], out, keeps, limits)).toMatchObject({ copied: 2, lost: 1 });
    expect((await readAll([out], limits)).map(({ brief }) => brief)).toEqual([
      ['u:1', 'a'],
      ['u:99', 'quoted'],
    ]);
  });

  it('of which all is left out but the sound records are sound', async () => {
    const folder = temporaryFolder();
    for (const [name, packing] of cases) {
      const parts = CONTENTS[name]!(['one two', 'three four', 'five six', 'seven']).map((part) => Buffer.from(part));
      const bytes = PACKINGS[packing]!(parts);
      const [path, out] = [join(folder, `in${packing.replace(/.* /, '.')}`), join(folder, `${name}${cases.length}`)];
      const at = Math.floor(bytes.length * 0.6);
      const damaged = Buffer.concat([bytes.subarray(0, at), Buffer.from('\0"{'), bytes.subarray(at + 9)]);
      writeFileSync(path, damaged);
      const format = { fields: { format: formatOf(name) } };
      const read = await readAll([path], format);
      const sound = new Set(read.filter(({ brief }) => Array.isArray(brief)).map(({ record }) => record));
      const target = `${out}-${packing.replace(/\W/g, '')}`;
      await rewrite([path], target, (_input, record) => sound.has(record), format);
      const again = await readAll([target], format);
      expect(again.map(({ brief }) => brief)).toEqual(
        read.filter(({ record }) => sound.has(record)).map(({ brief }) => brief),
      );
    }
  });
});

function formatOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
