import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFault, unreadableText, unwritableText } from '../../src/plain-words/system-faults.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

const coded = (code: string) => Object.assign(new Error('of the system'), { code });

describe('what the system says', () => {
  it.each([
    ['ENOENT', 'it is not there (ENOENT)'],
    ['EACCES', 'permission is denied (EACCES)'],
    ['EISDIR', 'it is a folder (EISDIR)'],
    ['ENOTDIR', 'a part of its path is a file, not a folder (ENOTDIR)'],
    ['EMFILE', 'this process has too many files open (see "ulimit -n") (EMFILE)'],
    ['ENOSPC', 'the disk is full (ENOSPC)'],
    ['EROFS', 'the file system is read-only (EROFS)'],
    // of the C library
    ['EPIPE', 'broken pipe (EPIPE)'],
    ['EOTHER', 'EOTHER'],
  ])('%s is told in words', (code, words) => {
    expect(systemFault(coded(code))).toBe(words);
  });

  it('of what is no fault of the system says the message', () => {
    expect(systemFault(new Error('boom'))).toBe('boom');
    expect(systemFault('boom')).toBe('boom');
  });

  it('names what is not there, and what is like it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'pages.ndjson'), '');
    mkdirSync(join(folder, 'crawl'));
    const told = (name: string) => {
      const path = join(folder, name);
      return unreadableText(
        path,
        faultOf(() => readFileSync(path)),
      ).replaceAll(`${folder}/`, '');
    };
    expect(told('page.ndjson')).toBe('There is no file or folder page.ndjson. Did you mean pages.ndjson?');
    expect(told('elephant')).toBe('There is no file or folder elephant.');
    expect(told('crawls/a/b')).toBe('crawls/a/b is not there, because there is no folder crawls. Did you mean crawl?');
    expect(told('crawl')).toBe('crawl cannot be read: it is a folder (EISDIR).');
    expect(told('pages.ndjson/x')).toBe(
      'pages.ndjson/x cannot be read: a part of its path is a file, not a folder (ENOTDIR).',
    );
    symlinkSync('nowhere', join(folder, 'link'));
    expect(told('link')).toBe('link cannot be read: it is a link that leads nowhere (ENOENT).');
  });

  it('names the folder that an output lacks', () => {
    const folder = temporaryFolder();
    const told = (name: string) => {
      const path = join(folder, name);
      return unwritableText(
        path,
        faultOf(() => writeFileSync(path, '')),
      ).replaceAll(`${folder}/`, '');
    };
    expect(told('out/here/x')).toBe('out/here/x cannot be written: there is no folder out.');
    mkdirSync(join(folder, 'x'));
    expect(told('x')).toBe('x cannot be written: it is a folder (EISDIR).');
  });
});
