import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource } from '../support/tree/imports.ts';
import { filesUnder, readText, root } from '../support/tree/tree.ts';

const LINES_MAX = 250;
const FUNCTION_LINES_MAX = 70;
const SENTENCE_WORDS_MAX = 30;
const COMMENT_COLUMNS_MAX = 128;
/** What one takes in of a folder at a glance. */
const FOLDER_FILES_MAX = 14;

/** Generated tables, by name: nobody reads them, so nobody minds their length. */
const GENERATED = [
  'openapi/types.d.ts',
  'src/core/text/unicode-tables.ts',
  'src/extract/html/entity-table.ts',
  'src/kernel/wasm-binary.generated.ts',
  'src/extract/html/main/main-weights.generated.ts',
];
/** Shapes without code, read like a page of documentation. */
const SHAPES = ['src/service/api.ts', 'src/store/port.ts'];

/** Paths of TypeScript, that with JSX in it among it. */
const typescriptUnder = (folder: string) => ['.ts', '.tsx'].flatMap((ending) => filesUnder(folder, ending));

const code = ['src', 'test', 'bench', 'examples', 'openapi'].flatMap(typescriptUnder);
const written = code.filter((path) => !GENERATED.includes(path));
const tree = filesUnder('');
const pages = tree.filter((path) => path.endsWith('.md'));

/** Every line of the given files that a pattern finds, as `file:line`. */
function found(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
  );
}

describe('the tree', () => {
  it('has files that one reads in one go', () => {
    const long = written.filter((path) => !SHAPES.includes(path) && readText(path).split('\n').length - 1 > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('has functions that one sees at one glance', () => {
    const long = typescriptUnder('src')
      .filter((path) => !GENERATED.includes(path))
      .flatMap((path) =>
        readSource(path, readText(path))
          .functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX)
          .map(({ line, lines }) => `${path}:${line} has ${lines} lines`),
      );
    expect(long).toEqual([]);
  });

  it('has a name for each file of src: whoever names one means one', () => {
    const paths = new Map<string, string[]>();
    for (const path of typescriptUnder('src')) {
      const name = posix.basename(path);
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
    // what it offers to others, and what bounds it, each part has
    const shared = ['limits.ts', 'port.ts'];
    expect([...paths].filter(([name, of]) => of.length > 1 && !shared.includes(name))).toEqual([]);
  });

  it('has folders that one takes in at a glance', () => {
    const counts = new Map<string, number>();
    for (const path of ['src', 'test', 'bench'].flatMap((folder) => filesUnder(folder))) {
      const folder = posix.dirname(path);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
  });

  it('has comments of sentences that one reads once', () => {
    const sources = typescriptUnder('src').filter((path) => !GENERATED.includes(path));
    const long = sources.flatMap((path) =>
      sentencesOf(readText(path))
        .filter((sentence) => wordsIn(sentence) > SENTENCE_WORDS_MAX)
        .map((sentence) => `${path}: ${sentence}`),
    );
    expect(long).toEqual([]);
    expect(found(new RegExp(`^(?= *(?:/?[*]|//)).{${COMMENT_COLUMNS_MAX + 1}}`), sources)).toEqual([]);
  });

  it('leaves nothing for later', () => {
    // put together here, so that this file is not among what it finds
    const words = ['TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK'].join('');
    expect(found(new RegExp(`\\b(${words})\\b`), [...code, ...pages])).toEqual([]);
  });

  it('knows no path of the machine it was written on', () => {
    const roots = ['work', 'root', 'Users', 'farm', 'home'].join('|');
    const everything = [...code, ...pages, ...filesUnder('openapi', '.json'), ...filesUnder('.ci'), 'Dockerfile'];
    expect(found(new RegExp(`(^|[^\\w./$-])/(${roots})/`), everything)).toEqual([]);
  });

  it('says beside every silenced check why', () => {
    const silent = found(/biome-ignore|oxlint-disable|@ts-(ignore|expect-error|nocheck)/, code).filter((at) => {
      const [path, line] = at.split(':') as [string, string];
      const text = readText(path).split('\n')[Number(line) - 1]!;
      return (
        path !== 'test/tree/tidy.test.ts' &&
        !/(biome-ignore|oxlint-disable|@ts-expect-error)\S* ?\S*:? .{15,}/.test(text)
      );
    });
    expect(silent).toEqual([]);
  });

  it('locks every package without the address of a registry', () => {
    const lock = readText('package-lock.json');
    expect(lock).not.toContain('"resolved"');
    expect(lock.match(/"integrity"/g)!.length).toBeGreaterThan(100);
  });

  it('names only files that are there', () => {
    const lost = [...written, ...pages].flatMap((path) =>
      filesNamedIn(path)
        .filter((name) => !tree.some((each) => isMeantBy(name, each, path)))
        .map((name) => `${path}: ${name}`),
    );
    expect(lost).toEqual([]);
  });

  it('links only to pages and headings that are there', () => {
    const dead = pages.flatMap((page) =>
      links(page)
        .filter((link) => !isAlive(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });
});

/** What is drawn or stands in columns. */
const DRAWN = /[─-◿→]|(^| )\| | {3,}\S/u;

/** The sentences of a file's comments, without drawings and tables; an item of a list begins a new one. */
function sentencesOf(text: string): string[] {
  const paragraphs = [''];
  for (const line of text.split('\n')) {
    const [, words = ''] = /^ *(?:\/?\*+|\/\/)(?!\/) ?(.*?)(?: ?\*\/)?$/.exec(line) ?? [];
    if (words === '' || DRAWN.test(words) || /^ *(-|\d+ |@)/.test(words)) paragraphs.push('');
    if (!DRAWN.test(words)) paragraphs[paragraphs.length - 1] += ` ${words.trim()}`;
  }
  return paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"]*) (?=[^a-z])/)).map((each) => each.trim());
}

const wordsIn = (sentence: string) => sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Every `….ts` that a page names, or the comments of a source, with as much of its path as is given. */
function filesNamedIn(path: string): string[] {
  const text = readText(path);
  const words = path.endsWith('.md') ? text : (text.match(/^ *\/?\*.*|\/\/ .*/gm) ?? []).join('\n');
  return words.match(/(?<![*…\w./-])[\w-][\w./-]*\.tsx?\b/g) ?? [];
}

/** Whether `path` is what is named so in the file `from`; by its name alone a source of src names one of its own part. */
function isMeantBy(name: string, path: string, from: string): boolean {
  if (!`/${path}`.endsWith(`/${name}`)) return false;
  const part = /^src\/[^/]+\//.exec(from)?.[0] ?? '';
  return name.includes('/') || path.startsWith(part);
}

const withoutCode = (page: string) => readText(page).replaceAll(/```[\s\S]*?```/g, '');

/** Targets of the links of a page that stay in the repository. */
function links(page: string): string[] {
  return [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function isAlive(page: string, link: string): boolean {
  const [file, anchor] = link.split('#') as [string, string?];
  const target = file === '' ? page : posix.join(posix.dirname(page), file);
  if (!existsSync(`${root}/${target}`)) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
