import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProgramName } from '../../../src/ingest/unpack/system-program.ts';
import { answerOf, recordOf } from '../../support/ingest/archives.ts';
import { tarOf, zipOf } from '../../support/ingest/document-archives.ts';
import { packedBy, unpackedBy } from '../../support/ingest/programs.ts';
import { rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const lines = (count: number, words = 'some words') =>
  Array.from({ length: count }, (_, n) => `{"url":"https://a.example/${n}","text":"${words} ${n}"}\n`);

describe('copies that a program packs', () => {
  it.each<[ProgramName, string]>([
    ['bzip2', '.bz2'],
    ['xz', '.xz'],
  ])('are packed as their input, or as their name says: %s', async (program, ending) => {
    const folder = temporaryFolder();
    // a record that is longer than a member goes on in the next
    const words = (bytes: number) => Array.from({ length: bytes / 8 }, (_, n) => String(n).padStart(7)).join(' ');
    const all = [...lines(3), ...lines(1, words(program === 'xz' ? 8 : 2 ** 22)), ...lines(4)];
    const path = join(folder, `a.ndjson${ending}`);
    writeFileSync(path, packedBy(program, all.join(''), ['-1']));
    const kept = join(folder, 'kept/');
    await rewrite([path], kept, (_, record) => record !== 2);
    const copied = readFileSync(join(kept, `a.ndjson${ending}`));
    expect(unpackedBy(program, copied).toString() === all.filter((_, i) => i !== 1).join('')).toBe(true);
    const plain = join(folder, 'b.ndjson');
    writeFileSync(plain, lines(3).join(''));
    const named = join(folder, `c.ndjson${ending}`);
    await rewrite([plain], named, () => true);
    expect(unpackedBy(program, readFileSync(named)).toString()).toBe(lines(3).join(''));
  });

  it('may be of archives, of whose records many are one stream', async () => {
    const folder = temporaryFolder();
    const records = [1, 2, 3].map((n) => recordOf(answerOf(`page ${n}`), { url: `https://a.example/${n}` }));
    const path = join(folder, 'a.warc.bz2');
    writeFileSync(path, packedBy('bzip2', Buffer.concat(records)));
    await rewrite([path], join(folder, 'kept/'), (_, record) => record !== 2);
    const copied = readFileSync(join(folder, 'kept/a.warc.bz2'));
    expect(unpackedBy('bzip2', copied).equals(Buffer.concat([records[0]!, records[2]!]))).toBe(true);
  });

  it('are none of archives of documents: that is refused before anything is read, with advice', async () => {
    const folder = temporaryFolder();
    const documents = [{ name: 'a.txt', content: 'a' }];
    for (const [name, bytes] of [
      ['a.tar', await tarOf(documents)],
      ['a.zip', zipOf(documents)],
    ] as const) {
      writeFileSync(join(folder, name), bytes);
      await expect(rewrite([join(folder, name)], join(folder, 'kept/'), () => true)).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringMatching(/it is an archive: unpack it into a folder, and name that/),
      });
    }
    expect(readdirSync(folder)).toEqual(['a.tar', 'a.zip']);
  });
});
