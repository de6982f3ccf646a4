import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf, archiveOf, type Form, recordOf } from '../../support/ingest/archives.ts';
import { bytesOf, readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const idOf = (block: Buffer) => `<urn:uuid:${createHash('md5').update(block).digest('hex')}>`;
const together = (block: Buffer) => `WARC-Concurrent-To: ${idOf(block)}`;

/** What writers make of one answer: which records, in which order, and which names which. */
const ORDERS = ['request first', 'answer first', 'answer alone', 'metadata about'] as const;
type Order = (typeof ORDERS)[number];

interface Capture {
  readonly records: readonly Buffer[];
  /** Which of them is the answer. */
  readonly answerAt: number;
}

function capture(n: number, order: Order, status = '200 OK'): Capture {
  const url = `http://a.example/${n}`;
  const answer = answerOf(`<p>the words of page ${n}`, [], status);
  const request = Buffer.from(`GET /${n} HTTP/1.1\r\n\r\n`);
  const requested = (more: readonly string[]) =>
    recordOf(request, { url, type: 'request', contentType: 'application/http; msgtype=request', more });
  const metadata = (more: readonly string[]) =>
    recordOf(`via: ${n}\r\n`, { url, type: 'metadata', contentType: 'application/warc-fields', more });
  switch (order) {
    case 'request first':
      return { records: [requested([]), recordOf(answer, { url, more: [together(request)] })], answerAt: 1 };
    case 'answer first': {
      const others = [requested([together(answer)]), metadata(['WARC-Concurrent-To: <urn:x>', together(answer)])];
      return { records: [recordOf(answer, { url }), ...others], answerAt: 0 };
    }
    case 'answer alone':
      return { records: [recordOf(answer, { url })], answerAt: 0 };
    case 'metadata about':
      return { records: [recordOf(answer, { url }), metadata([`WARC-Refers-To: ${idOf(answer)}`])], answerAt: 0 };
  }
}

const INFO = recordOf('software: test\r\n', { type: 'warcinfo', url: null, contentType: 'application/warc-fields' });
const FORMS: Readonly<Record<string, Form>> = {
  'plain.warc': 'plain',
  'each.warc.gz': 'gzip',
  'each.warc.zst': 'zstd',
  'one.warc.gz': 'gzip, one member',
  'one.warc.zst': 'zstd, one frame',
};

const captures = fc
  .array(fc.tuple(fc.constantFrom(...ORDERS), fc.constantFrom('200 OK', '200 OK', '301 Moved')), { maxLength: 20 })
  .map((orders) => orders.map(([order, status], n) => capture(n, order, status)));
const choices = fc.infiniteStream(fc.boolean());
const RUNS = { numRuns: 15 };

describe('archives', () => {
  it.each(Object.entries(FORMS))('%s is the same where all is kept', async (name, form) => {
    const folder = temporaryFolder();
    const records = [INFO, ...ORDERS.flatMap((order, n) => capture(n, order).records)];
    const { bytes } = archiveOf(records, form);
    const [path, out] = [join(folder, name), join(folder, `out.${name}`)];
    writeFileSync(path, bytes);
    const { copied } = await rewrite([path], out, () => true);
    expect(copied).toBe(records.length);
    const plain = join(folder, 'out.warc');
    await rewrite([out], plain, () => true);
    expect(bytesOf(plain)).toEqual(Buffer.concat(records));
    if (form === 'plain' || form === 'gzip' || form === 'zstd') expect(bytesOf(out)).toEqual(bytes);
    else expect((await readAll([out])).length).toBe(records.length);
  });

  it('are copied but for the answers that go and what was recorded with them', async () => {
    const folder = temporaryFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(captures, fc.constantFrom(...Object.keys(FORMS)), choices, async (all, name, choose) => {
        const [path, out] = [join(folder, name), join(folder, `${++runs}.warc`)];
        const records = [INFO, ...all.flatMap((one) => one.records)];
        writeFileSync(path, archiveOf(records, FORMS[name]!).bytes);
        const kept = new Set<number>();
        const should = [INFO];
        const asked: string[] = [];
        let record = 1;
        for (const { records: own, answerAt } of all) {
          asked.push(`0:${record + 1 + answerAt}`);
          const isKept = choose.next().value;
          if (isKept) kept.add(record + 1 + answerAt);
          if (isKept) should.push(...own);
          record += own.length;
        }
        const result = await rewrite([path], out, (_input, n) => kept.has(n));
        expect(bytesOf(out).toString()).toBe(Buffer.concat(should).toString());
        expect(result.asked).toEqual(asked);
        expect(result).toMatchObject({ records: records.length, copied: should.length, lost: 0 });
        expect(result.leftOut).toBe(records.length - should.length);
      }),
      RUNS,
    );
  });

  it('that are packed record by record are copied as they lie there, and packed so where they were not', async () => {
    const folder = temporaryFolder();
    const records = Array.from({ length: 9 }, (_, n) => capture(n, 'answer alone').records[0]!);
    const keeps = (_input: number, record: number) => record % 3 !== 0;
    const kept = records.filter((_, at) => keeps(0, at + 1));
    const each = join(folder, 'each.warc.gz');
    writeFileSync(each, archiveOf(records, 'gzip').bytes);
    await rewrite([each], join(folder, 'kept.warc.gz'), keeps);
    expect(bytesOf(join(folder, 'kept.warc.gz'))).toEqual(archiveOf(kept, 'gzip').bytes);
    for (const form of ['gzip, one member', 'zstd'] as const) {
      const other = join(folder, `other.warc.${form === 'zstd' ? 'zst' : 'gz'}`);
      writeFileSync(other, archiveOf(records, form).bytes);
      await rewrite([other], join(folder, 'out.warc.gz'), keeps);
      expect(membersOf(bytesOf(join(folder, 'out.warc.gz')))).toEqual(kept);
      await rewrite([join(folder, 'out.warc.gz')], join(folder, 'again.warc'), () => true);
      expect(bytesOf(join(folder, 'again.warc'))).toEqual(Buffer.concat(kept));
      for (const name of ['out.warc.gz', 'again.warc']) rmSync(join(folder, name));
    }
  });

  it('go into one, members of each as they lie there', async () => {
    const folder = temporaryFolder();
    const parts = [0, 1].map((part) => [0, 1, 2].map((n) => capture(3 * part + n, 'answer alone').records[0]!));
    const paths = parts.map((records, at) => {
      const path = join(folder, `${at}.warc.gz`);
      writeFileSync(path, archiveOf(records, 'gzip').bytes);
      return path;
    });
    await rewrite(paths, join(folder, 'all.warc.gz'), () => true);
    expect(bytesOf(join(folder, 'all.warc.gz'))).toEqual(archiveOf(parts.flat(), 'gzip').bytes);
  });

  it.each(['plain', 'gzip', 'gzip, one member'] as const)(
    'with records that are too large for memory are copied whole, %s',
    async (form) => {
      const folder = temporaryFolder();
      // more than 48 MiB, which a tape holds; texts, so that it is no bomb
      const block = Buffer.alloc(49 * 2 ** 20, Array.from({ length: 1024 }, (_, n) => `${n * 7919} `).join(''));
      const large = recordOf(block, { url: 'http://a.example/large', type: 'resource', contentType: 'text/plain' });
      const [first, last] = [0, 1].map((n) => capture(n, 'answer alone').records[0]!);
      const records = [first!, large, last!];
      const path = join(folder, form === 'plain' ? 'in.warc' : 'in.warc.gz');
      writeFileSync(path, archiveOf(records, form).bytes);
      const [all, without] = [join(folder, 'all.warc.gz'), join(folder, 'without.warc.gz')];
      await rewrite([path], all, () => true);
      expect(gunzipSync(bytesOf(all)).equals(Buffer.concat(records))).toBe(true);
      expect((await readAll([all])).map(({ brief }) => (Array.isArray(brief) ? 'put' : brief))).toEqual([
        ...['put', 'too-large', 'put'],
      ]);
      await rewrite([path], without, (_input, record) => record !== 2);
      expect(membersOf(bytesOf(without))).toEqual([first, last]);
    },
  );

  it('whose frames need a dictionary are packed anew without it', async () => {
    const folder = temporaryFolder();
    const records = Array.from({ length: 5 }, (_, n) => capture(n, 'answer alone').records[0]!);
    const dictionary = Buffer.from(records[0]!);
    const frames = records.map((record) => zstdCompressSync(record, { dictionary }));
    const head = Buffer.alloc(8);
    head.writeUInt32LE(0x18_4d_2a_5d, 0);
    head.writeUInt32LE(dictionary.length, 4);
    const path = join(folder, 'in.warc.zst');
    writeFileSync(path, Buffer.concat([head, dictionary, ...frames]));
    await rewrite([path], join(folder, 'out.warc.zst'), (_input, record) => record !== 2);
    expect((await readAll([join(folder, 'out.warc.zst')])).length).toBe(4);
    await rewrite([join(folder, 'out.warc.zst')], join(folder, 'out.warc'), () => true);
    expect(bytesOf(join(folder, 'out.warc'))).toEqual(Buffer.concat(records.filter((_, at) => at !== 1)));
  });
});

/** What each member of a file unpacks to. */
function membersOf(bytes: Buffer): Buffer[] {
  const members: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]), at + 1);
    for (;;) {
      try {
        members.push(gunzipSync(bytes.subarray(at, end < 0 ? undefined : end)));
        break;
      } catch (error) {
        if (end < 0) throw error;
        end = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08]), end + 1);
      }
    }
    at = end < 0 ? bytes.length : end;
  }
  return members;
}
