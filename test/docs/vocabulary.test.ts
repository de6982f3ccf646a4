import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesUnder, readText } from '../support/tree/tree.ts';

/** The lines of all tables but their heads: a word or a shape first, last the file or folder that defines it. */
const lines = readText('docs/vocabulary.md')
  .split('\n')
  .filter((line) => /^\| (?!Word|Shape)/.test(line));
const entries = lines.map((line) => {
  const cells = line.split(' | ');
  return { word: cells[0]!.replaceAll(/[|`]/g, '').trim(), file: /`(src\/.+)` \|$/.exec(cells.at(-1)!)?.[1] ?? '' };
});

/** A text as one line, without the marks of comments and the capitals of names. */
const plain = (text: string) => text.replaceAll(/\s+(?:\* )?/g, ' ').toLowerCase();

/** What a file or a folder says, its name included. */
const textOf = (part: string) =>
  filesUnder('src')
    .filter((path) => path.startsWith(part))
    .map((path) => plain(`${path.replaceAll('-', ' ')} ${readText(path)}`))
    .join(' ');

describe('docs/vocabulary.md', () => {
  it('names files and folders that exist', () => {
    expect(entries.length).toBeGreaterThan(70);
    expect(entries.filter(({ file }) => file === '' || !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual(
      [],
    );
  });

  it('has only words that the file beside them uses', () => {
    expect(entries.filter(({ word, file }) => !textOf(file).includes(plain(word)))).toEqual([]);
  });

  it('explains each word once', () => {
    const words = entries.map(({ word }) => word);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });
});
