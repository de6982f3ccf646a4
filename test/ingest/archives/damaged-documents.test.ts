import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tarOf, zipOf } from '../../support/ingest/document-archives.ts';
import { briefly, readInputs } from '../../support/ingest/read-inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const PREFIX = 'https://a.example/';

function read(bytes: Buffer, name: string) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  return readInputs([path], { fields: { urlPrefix: PREFIX } });
}

describe('archives that are damaged, or made to do harm', () => {
  it('hold a document that is too large without taking it into memory, and the next ones', async () => {
    const bomb = Buffer.alloc(10 * 2 ** 20);
    const members = [
      { name: 'bomb.txt', content: bomb },
      { name: 'a.txt.gz', content: gzipSync(bomb) },
      { name: 'page.txt', content: 'a page' },
    ];
    const tar = gzipSync(await tarOf(members), { level: 1 });
    for (const [bytes, name] of [
      [zipOf(members), 'a.zip'],
      [tar, 'a.tar.gz'],
    ] as const) {
      expect((await read(bytes, name)).map(briefly)).toEqual([
        expect.stringMatching(/^bomb\.txt: too-large: /),
        expect.stringMatching(/^a\.txt\.gz: too-large: /),
        `${PREFIX}page.txt a page`,
      ]);
    }
  });

  it('whose members lie over one another are refused', async () => {
    const members = [
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b', offset: 0 },
    ];
    expect((await read(zipOf(members), 'a.zip')).map(briefly)).toEqual([expect.stringMatching(/over one another/)]);
  });

  it('whatever is changed in them, give what is sound before that, and end', async () => {
    const members = Array.from({ length: 6 }, (_, i) => ({
      name: `${i}.txt`,
      content: randomBytes(300).toString('hex'),
    }));
    const tar = await tarOf(members);
    const zip = zipOf(members);
    const ends = members.map(({ content: text }, i) => (i + 1) * (512 + Math.ceil(text.length / 512) * 512));
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.uint8Array({ minLength: 1, maxLength: 30 })),
        async (isTar, share, junk) => {
          const bytes = isTar ? tar : zip;
          const at = Math.floor(share * bytes.length);
          const changed = junk === null ? bytes.subarray(0, at) : Buffer.from(bytes);
          if (junk !== null) changed.set(junk.subarray(0, bytes.length - at), at);
          const items = (await read(changed, isTar ? 'a.tar' : 'a.zip')).map(briefly);
          expect(items.length).toBeLessThan(20);
          if (isTar) {
            const sound = ends.filter((end) => end <= at).length;
            expect(items.slice(0, sound)).toEqual(
              members.slice(0, sound).map(({ name, content: text }) => `${PREFIX}${name} ${text}`),
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('whose directory is damaged, or not there, have what is before that', async () => {
    const zip = zipOf(['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, content: name })));
    const second = zip.indexOf('PK\x01\x02', zip.indexOf('PK\x01\x02') + 1, 'latin1');
    const changed = Buffer.from(zip).fill(0, second, second + 4);
    expect((await read(changed, 'a.zip')).map(briefly)).toEqual([
      `${PREFIX}a.txt a.txt`,
      expect.stringMatching(/^the archive: damaged: its directory is damaged \(invalid central directory/),
    ]);
    expect((await read(zip.subarray(0, -30), 'a.zip')).map(briefly)).toEqual([
      expect.stringMatching(/^the archive: damaged: the end of the archive, by which it is read, is not there/),
    ]);
    const local = Buffer.from(zip).fill(0, 0, 4);
    local.write('PK\x05\x06', 'latin1');
    expect((await read(local, 'a.zip')).map(briefly)).toEqual([
      expect.stringMatching(/^a\.txt: damaged: It is damaged: there is no member where the directory says/),
      `${PREFIX}b.txt b.txt`,
      `${PREFIX}c.txt c.txt`,
    ]);
  });

  it('say which member of a tar is cut, and what of a packed one is damaged', async () => {
    const members = ['a.txt', 'b.txt'].map((name) => ({ name, content: randomBytes(50_000).toString('hex') }));
    const tar = await tarOf(members);
    const first = `${PREFIX}a.txt ${members[0]!.content}`;
    expect((await read(tar.subarray(0, 150_000), 'a.tar')).map(briefly)).toEqual([
      first,
      expect.stringMatching(/^b\.txt: damaged: the archive is cut; nothing of the archive can be read after it\.$/),
    ]);
    const packed = gzipSync(tar);
    expect((await read(packed.subarray(0, packed.length - 30_000), 'a.tar.gz')).map(briefly)).toEqual([
      first,
      expect.stringMatching(/^b\.txt: damaged: a member of gzip \(.*\) at byte 0; .*; nothing of the archive/),
    ]);
  });
});
