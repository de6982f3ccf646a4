import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import type { DocumentReference } from '../../../src/service/api.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const run = (args: string[], uses: Partial<IndexAccess>) => runWith(args, { open: async () => indexWith(uses) });

const share = (estimate: number) => ({ estimate, low: estimate - 0.05, high: estimate + 0.05, decision: 'yes' });

describe('shingled composition', () => {
  const part = (url: string, estimate: number) => ({
    ...{ share: share(estimate), unique: share(estimate / 2), shingles: 90, title: null, meta: null },
    ...{ sources: [{ url }], sourceCount: url.includes('a.') ? 3 : 1 },
  });
  const passage = { from: 3, to: 40, part: 1, alsoIn: [], tokens: 12, exact: true, text: 'words\nof b', link: null };
  const COMPOSED = {
    ...{
      query: { tokens: 1200, short: false },
      parts: [part('https://a.example/', 0.4), part('https://b.example/', 0.1)],
    },
    ...{ more: true, unexplained: share(0.7), passages: [passage], recall: { share: 1, words: null } },
    ...{ complete: false, limits: [{ code: 'candidates' }], elapsedMs: 1 },
  };

  it('asks with files and URLs, and shows the parts of each, what nothing explains, and whose the words are', async () => {
    const file = join(temporaryFolder(), 'a.txt');
    writeFileSync(file, 'words');
    const asked: [DocumentReference, object][] = [];
    const composition = async (reference: DocumentReference, options: object) => {
      asked.push([reference, options]);
      return COMPOSED as never;
    };
    const args = ['composition', file, 'https://c.example/', '--passages', '--limit', '5', '--minimum-share', '.1'];
    const { code, out } = await run(args, { composition });
    expect(code).toBe(EXIT_CODES.done);
    expect(asked.map(([{ url, body }]) => [url, body?.contentType])).toEqual([
      [null, 'text/plain'],
      ['https://c.example/', undefined],
    ]);
    expect(asked[0]![1]).toMatchObject({ find: 'sources', minimumShare: 0.1, limit: 5, passages: true, fetch: 'auto' });
    expect(out).toContain(`${file}: 1,200 words\n`);
    expect(out).toMatch(/ {2}1 +20 % \(15 to 25\) +40 % \(35 to 45\) +https:\/\/a\.example\/ and 2 more\n/);
    expect(out).toMatch(/ {2}2 +5\.0 % \(0\.0 to 10\) +10 % \(5\.0 to 15\) +https:\/\/b\.example\/\n/);
    expect(out).toMatch(/ {2}- +70 % \(65 to 75\) +nothing that is known\n/);
    expect(out).toContain('  2  3-40  12 words: words of b\n');
    expect(out).toContain('There is more: --limit shows more parts.');
    expect(out).toContain('Something may be missing: candidates.');
  });

  it('asks for quotations, as lines of JSON, and goes on behind what cannot be asked with', async () => {
    const asked: object[] = [];
    const composition = async (_reference: DocumentReference, options: object) => {
      asked.push(options);
      return COMPOSED as never;
    };
    const args = [
      'composition',
      'nowhere.txt',
      'https://c.example/',
      '--quotations',
      '--minimum-words',
      '40',
      '--json',
    ];
    const { code, out } = await run(args, { composition });
    expect(code).toBe(EXIT_CODES.refused);
    expect(asked).toMatchObject([{ find: 'quotations', minimumWords: 40, passages: false }]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { document: 'nowhere.txt', code: 'input-unreadable' },
      { document: 'https://c.example/', more: true },
    ]);
  });

  it.each([
    [[], 'needs a document'],
    [['a', '--minimum-words', '30'], 'needs --quotations'],
    [['a', '--minimum-share', '.3', '--quotations'], 'does not go with --quotations'],
    [['a', '--minimum-share', '2'], 'takes a share'],
    [['a', '--limit', '101'], 'from 1 to 100'],
    [['a', '--fetch', 'sometimes'], '--fetch takes auto, never or always'],
  ])('refuses %j', async (args, why) => {
    expect(await run(['composition', ...args], {})).toMatchObject({
      code: EXIT_CODES.usage,
      err: expect.stringContaining(why),
    });
  });
});
