import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInputs } from '../../../src/ingest/inputs/inputs.ts';
import { planRewrite } from '../../../src/ingest/rewrite/rewrite-inputs.ts';
import { bytesOf, ingested, openParts, readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const PREFIXED = { fields: { urlPrefix: 'https://a.example/' } };

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

describe('folders of documents', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c d', 'ä', 'x.html', 'y.md', 'page.html', 'page.html.gz'), {
      ...{ minLength: 1, maxLength: 3 },
    })
    .map((parts) => parts.map((part, at) => (at === parts.length - 1 ? part : `${part}.d`)).join('/'));
  const times = fc.integer({ min: 1, max: 2_000_000_000_000 });

  it('are read again as the documents that were kept, with their dates', async () => {
    const folder = temporaryFolder();
    let runs = 0;
    const entries = fc.uniqueArray(fc.tuple(path, fc.lorem({ maxCount: 4 }), times), {
      ...{ selector: ([name]: readonly [string, string, number]) => name, minLength: 1, maxLength: 12 },
    });
    await fc.assert(
      fc.asyncProperty(entries, fc.infiniteStream(fc.boolean()), async (all, choose) => {
        const [docs, out] = [join(folder, `in${++runs}`), join(folder, `out${runs}`)];
        for (const [name, text, mtimeMs] of all) {
          put(join(docs, name), name.endsWith('.gz') ? gzipSync(text) : text);
          utimesSync(join(docs, name), mtimeMs / 1000, mtimeMs / 1000);
        }
        const items = await ingested([docs], PREFIXED);
        const kept = new Set(items.filter(() => choose.next().value).map(({ next }) => next.record));
        const result = await rewrite([docs], out, (_input, record) => kept.has(record));
        expect(result.asked).toEqual(items.map((_, at) => `0:${at + 1}`));
        const puts = (of: typeof items) => of.flatMap((item) => ('operation' in item ? [item.operation] : []));
        expect(puts(await ingested([out], PREFIXED))).toEqual(puts(items.filter(({ next }) => kept.has(next.record))));
        for (const name of filesIn(out)) expect(bytesOf(join(out, name))).toEqual(bytesOf(join(docs, name)));
      }),
      { numRuns: 40 },
    );
  });

  it('keep names that are not UTF-8, byte by byte', async () => {
    const folder = temporaryFolder();
    const [docs, out] = [join(folder, 'docs'), join(folder, 'out')];
    put(join(docs, 'a.txt'), 'a');
    const names = ['caf\xe9.txt', 'd\xff'].map((name) => Buffer.from(name, 'latin1'));
    const [file, below] = names.map((name) => Buffer.concat([Buffer.from(`${docs}/`), name])) as [Buffer, Buffer];
    writeFileSync(file, 'un');
    mkdirSync(below);
    writeFileSync(Buffer.concat([below, Buffer.from('/b.txt')]), 'deux');
    const items = await ingested([docs], PREFIXED);
    expect(items).toHaveLength(3);
    await rewrite([docs], out, () => true);
    const puts = (of: typeof items) => of.map((item) => ('operation' in item ? item.operation : item));
    expect(puts(await ingested([out], PREFIXED))).toEqual(puts(items));
    const kept = readdirSync(out, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
    expect(kept.sort()).toEqual(['a.txt', 'caf\xe9.txt', 'd\xff']);
  });

  it('lose what cannot be read, and no more: links out, pipes, what nobody may open', async () => {
    const folder = temporaryFolder();
    const [docs, out] = [join(folder, 'docs'), join(folder, 'out')];
    put(join(docs, 'a.html'), 'a');
    put(join(docs, 'picture.png'), Buffer.from([0x89, 0x50]));
    put(join(docs, 'secret.html'), 'secret');
    put(join(folder, 'outside.html'), 'outside');
    chmodSync(join(docs, 'secret.html'), 0);
    symlinkSync('a.html', join(docs, 'linked.html'));
    symlinkSync('../outside.html', join(docs, 'out.html'));
    symlinkSync('nowhere', join(docs, 'nowhere.html'));
    execFileSync('mkfifo', [join(docs, 'pipe')]);
    const items = await readAll([docs], PREFIXED);
    const { copied, lost, leftOut } = await rewrite([docs], out, () => true);
    const isRoot = process.getuid?.() === 0;
    expect([copied + lost, leftOut]).toEqual([items.length, 0]);
    expect(filesIn(out)).toEqual(['a.html', 'linked.html', 'picture.png', ...(isRoot ? ['secret.html'] : [])]);
    expect(bytesOf(join(out, 'linked.html')).toString()).toBe('a');
  });

  it('take packed copies with the files that they are copies of', async () => {
    const folder = temporaryFolder();
    const docs = join(folder, 'docs');
    for (const name of ['a.html', 'b.html']) {
      put(join(docs, name), `words of ${name}`);
      put(join(docs, `${name}.gz`), gzipSync(`words of ${name}`));
    }
    const result = await rewrite([docs], join(folder, 'out'), (_input, record) => record !== 1);
    expect(filesIn(join(folder, 'out'))).toEqual(['b.html', 'b.html.gz']);
    expect(result).toMatchObject({ records: 4, copied: 2, leftOut: 2 });
  });

  it('are copied to their end by a process that does nothing else', () => {
    const folder = temporaryFolder();
    for (let n = 0; n < 200; n++) put(join(folder, 'docs', `${n}.html`), 'words');
    const script = `
      import { rewrite } from ${JSON.stringify(join(import.meta.dirname, '../../support/ingest/rewritten.ts'))};
      const { copied } = await rewrite(['docs'], 'out', () => true);
      process.stdout.write(String(copied));`;
    const options = { cwd: folder, encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script], options)).toBe('200');
  });

  it('lie beside other inputs by their own names', async () => {
    const folder = temporaryFolder();
    const [docs, more] = [join(folder, 'docs'), join(folder, 'more')];
    put(join(docs, 'sub', 'a.html'), 'a');
    put(join(more, 'a.html'), 'b');
    put(join(folder, 'page.html.gz'), gzipSync('words'));
    put(join(folder, 'lines.ndjson'), '{"url":"u:1","text":"a b"}\n');
    const names = [docs, more, join(folder, 'page.html.gz'), join(folder, 'lines.ndjson')];
    const out = join(folder, 'out');
    const { lastRecords } = await rewrite(names, `${out}/`, (input) => input !== 1);
    expect(filesIn(out)).toEqual(['docs/sub/a.html', 'lines.ndjson', 'page.html.gz']);
    expect(lastRecords).toEqual([1, 1, 1, 1]);
    expect(bytesOf(join(out, 'page.html.gz'))).toEqual(bytesOf(join(folder, 'page.html.gz')));
    await rewrite([join(folder, 'page.html.gz')], `${join(folder, 'none')}/`, () => false);
    expect(filesIn(join(folder, 'none'))).toEqual([]);
  });

  it.each([
    ['a new file', (docs: string) => put(join(docs, 'b0.html'), 'new'), 'b0.html'],
    ['a file that is gone', (docs: string) => rmSync(join(docs, 'b.html')), 'c.html'],
    ['the last file gone', (docs: string) => rmSync(join(docs, 'c.html')), ''],
    ['another size', (docs: string) => put(join(docs, 'b.html'), 'longer than it was'), 'b.html'],
    ['another date', (docs: string) => utimesSync(join(docs, 'b.html'), 5, 5), 'b.html'],
  ])('are refused where they have changed, naming the file: %s', async (_, change, named) => {
    const folder = temporaryFolder();
    const [docs, out] = [join(folder, 'docs'), join(folder, 'out')];
    for (const name of ['a.html', 'b.html', 'c.html']) put(join(docs, name), name);
    const plan = await planRewrite(await findInputs([docs]), openParts(), out);
    change(docs);
    const to = { stdout: async () => {}, temporaryFolder: folder, signal: null, passed: () => {} };
    await expect(plan.write({ keeps: () => true, lastRecords: null }, to)).rejects.toMatchObject({
      ...{ code: 'input-changed', field: join(docs, named) },
    });
    expect(readdirSync(folder)).toEqual(['docs']);
    expect(existsSync(out)).toBe(false);
  });
});
