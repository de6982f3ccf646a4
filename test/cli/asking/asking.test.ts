import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import { ShingledError } from '../../../src/errors.ts';
import type { CompareRequest, DocumentReference, MatchOptions } from '../../../src/service/api.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const run = (args: string[], uses: Partial<IndexAccess>) => runWith(args, { open: async () => indexWith(uses) });

const share = (estimate: number) => ({ estimate, low: estimate - 0.05, high: estimate + 0.05, decision: 'yes' });
const MATCH = {
  ...{ equivalence: 'none', resemblance: share(0.62), queryInMatch: share(0.9), matchInQuery: share(0.7) },
  ...{ sources: [{ url: 'https://a.example/' }], sourceCount: 3 },
};
const ANSWER = {
  query: { tokens: 1200, short: true },
  matches: [MATCH],
  complete: false,
  limits: [{ code: 'candidates' }],
};

describe('shingled similar', () => {
  it('asks with files and URLs, and shows each with its matches', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.HTML');
    writeFileSync(file, '<p>words');
    const asked: [DocumentReference, MatchOptions][] = [];
    const similar = async (reference: DocumentReference, options: MatchOptions) => {
      asked.push([reference, options]);
      return ANSWER as never;
    };
    const { code, out } = await run(['similar', file, 'https://b.example/', '--resemblance', '.25', '--limit', '3'], {
      similar,
    });
    expect(code).toBe(EXIT_CODES.done);
    expect(asked.map(([{ url, body }]) => [url, body?.contentType, body && String(body.bytes)])).toEqual([
      [null, 'text/html', '<p>words'],
      ['https://b.example/', undefined, null],
    ]);
    expect(asked[0]![1]).toMatchObject({
      limit: 3,
      thresholds: { resemblance: 0.25, queryInMatch: null, matchInQuery: null },
    });
    expect(out).toContain(`${file}: 1,200 words, short\n`);
    expect(out).toContain(
      '.62 (.57 to .67)  .90 (.85 to .95)  .70 (.65 to .75)  none  https://a.example/ and 2 more\n',
    );
    expect(out).toContain('Something may be missing: candidates.');
  });

  it('says where nothing is a match how much the nearest documents have together', async () => {
    const nearestTogether = { documents: 2, share: { estimate: 0.53, low: 0.5, high: 0.56 } };
    const answer = { ...ANSWER, matches: [], nearest: [MATCH, MATCH], nearestTogether };
    const { out } = await run(['similar', 'https://b.example/'], { similar: async () => answer as never });
    expect(out).toContain(
      'nothing reaches a threshold. 2 documents have .53 (.50 to .56) of it together. The nearest:\n',
    );
    const alone = { ...answer, nearestTogether: { ...nearestTogether, documents: 1 } };
    const one = await run(['similar', 'https://b.example/'], { similar: async () => alone as never });
    expect(one.out).toContain('nothing reaches a threshold. The nearest:\n');
  });

  it('shows every copy, whatever the pages, and which hosts have them', async () => {
    const asked: MatchOptions[] = [];
    const similar = async (_reference: DocumentReference, options: MatchOptions) => {
      asked.push(options);
      const shown = { ...ANSWER, estimatedCopies: 40, limits: [{ code: 'candidates', affected: 38, of: 40 }] };
      if (options.cursor === null) return { ...shown, cursor: 'next', complete: true } as never;
      const { resemblance, queryInMatch } = MATCH;
      const times = { firstSeen: '2026-01-02T00:00:00.000Z', lastSeen: '2026-03-04T00:00:00.000Z' };
      const hosts = [{ host: null, matches: 2, sourceCount: 1200, resemblance, queryInMatch, ...times }];
      return { ...shown, cursor: null, matchCount: 2, hosts } as never;
    };
    const { code, out } = await run(['similar', 'https://b.example/', '--thorough'], { similar });
    expect(code).toBe(EXIT_CODES.done);
    expect(asked).toMatchObject([
      { thorough: true, limit: 1000, cursor: null, sourcesPerMatch: 10_000 },
      { thorough: true, limit: 1000, cursor: 'next' },
    ]);
    expect(out.split('https://a.example/ and 2 more\n')).toHaveLength(3);
    expect(out).toContain('  2 texts by host:\n  host     texts  URLs');
    expect(out).toContain('  (names)  2      1,200  .90 (.85 to .95)    2026-01-02  2026-03-04\n');
    expect(out).toContain(
      '  About 40 texts in all, of which these were found.\n  Something may be missing: candidates.',
    );
    asked.length = 0;
    await run(['similar', 'https://b.example/', '--thorough', '--limit', '1'], { similar });
    expect(asked.map(({ limit }) => limit)).toEqual([1]);
  });

  it('goes on behind a document that cannot be asked with, and says so by its exit code', async () => {
    const similar = async () => ANSWER as never;
    const { code, out, err } = await run(['similar', 'nowhere.txt', 'https://b.example/'], { similar });
    expect(code).toBe(EXIT_CODES.refused);
    expect(err).toContain('There is no file or folder nowhere.txt.');
    expect(out).toContain('https://b.example/: 1,200 words');
    const alone = await run(['similar', 'nowhere.txt'], { similar });
    expect(alone).toMatchObject({ code: EXIT_CODES.failed, err: expect.stringContaining('(input-unreadable)') });
  });

  it('passes on a list of questions, and says where some were refused', async () => {
    const list = join(temporaryFolder(), 'questions');
    writeFileSync(list, 'one\n\ntwo');
    const seen: string[] = [];
    async function* similarLines(lines: AsyncIterable<string>) {
      for await (const line of lines) seen.push(line);
      yield '{"line":1,"status":200,"answer":{}}';
      yield '{"line":3,"status":400,"code":"invalid-json"}';
    }
    const { code, out } = await run(['similar', '--list', list], { similarLines });
    expect(seen).toEqual(['one', '', 'two']);
    expect(out.split('\n')).toHaveLength(3);
    expect(code).toBe(EXIT_CODES.refused);
  });

  it.each([
    [[], 'needs either documents'],
    [['x', '--list', 'y'], 'or --list with a file of questions'],
    [['--list', 'y', '--limit', '3'], '--limit does not go with --list: each line of that file has its own options'],
    [['x', '--fetch', 'maybe'], '--fetch takes auto, never or always'],
    [['x', '--limit', '0'], '--limit takes a whole number'],
    [['x', '--match-in-query', 'half'], '--match-in-query takes a share'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await run(['similar', ...args], {});
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(why) });
  });
});

describe('shingled compare', () => {
  it('shows two documents side by side', async () => {
    let asked: CompareRequest | null = null;
    const compare: IndexAccess['compare'] = async (request) => {
      asked = request;
      const shares = { resemblance: { exact: 0.5 }, aInB: { exact: 1 }, bInA: { exact: 0.25 } };
      const whyNot = { step: 'shingles', detail: 'They part.', examples: [{ a: 'wisdom', b: 'iron' }] };
      return { a: { tokens: 9 }, b: { tokens: 3000 }, ...shares, equivalence: 'none', whyNot } as never;
    };
    const { out } = await run(['compare', 'https://a.example/', 'https://b.example/', '--passages'], { compare });
    expect(asked).toMatchObject({ a: { url: 'https://a.example/' }, passages: true, fetch: 'auto' });
    expect(out).toContain('b            https://b.example/ (3,000 words)\nresemblance  .50\nof a in b    1.00\n');
    expect(out).toContain('"wisdom" is "iron"');
  });

  it('shows differences and where they part, and says what differences need', async () => {
    const shares = { resemblance: { exact: 0.5 }, aInB: { exact: 1 }, bInA: { exact: 0.25 }, equivalence: 'none' };
    const described = { a: { tokens: 9, from: 'body' }, b: { tokens: 9, from: 'index' }, whyNot: null };
    const span = (kind: string, from: number, to: number, partner: number | null = null) => ({
      kind,
      from,
      to,
      partner,
    });
    const spansA = [span('common', 0, 4, 0), span('only', 4, 8), span('common', 8, 12, 2), span('moved', 12, 16, 1)];
    const spansB = [span('common', 0, 4, 0), span('moved', 4, 8, 3), span('common', 8, 12, 2), span('unread', 12, 20)];
    const differences = {
      complete: false,
      a: { text: 'one two six ten\n', spans: spansA },
      b: { text: `one ten six ${'x'.repeat(8)}`, spans: spansB },
    };
    const outcome = { found: false, rank: null, matches: 0, complete: false, detail: 'b is not in the index.' };
    const step = { step: 'bytes', same: false, a: {}, b: {}, detail: 'They part.', examples: [{ a: 'x\ny', b: 'z' }] };
    const steps = [step, { ...step, step: 'lists', examples: [] }, { ...step, step: 'text', same: null }];
    const explanation = { steps, partAt: 'bytes', lostAt: 'lists', asked: outcome, byDefault: outcome };
    const asked: CompareRequest[] = [];
    const compare: IndexAccess['compare'] = async (request) => {
      asked.push(request);
      return {
        ...described,
        ...shares,
        ...(request.explain ? { explanation, differences } : { differences: null }),
      } as never;
    };
    const pair = ['compare', 'https://a.example/', 'https://b.example/'];
    const { out } = await run([...pair, '--differences', '--explain'], { compare });
    expect(asked[0]).toMatchObject({ differences: true, texts: true, explain: true });
    expect(out).toContain(
      '\n  one\n- two\n> ten\n  six\n< ten\n? 8 characters that were not compared\n  Not all was compared.\n',
    );
    expect(out).toContain(
      '  bytes  other    They part.\n                  "x y" is "z"\n  lists  lost     They part.\n',
    );
    expect(out).toContain(
      'they part at  bytes\na finds b     no, lost at the step lists: b is not in the index. A limit may',
    );
    const { out: needy } = await run([...pair, '--differences'], { compare });
    expect(asked[1]).not.toHaveProperty('explain');
    expect(needy).toContain(
      'differences need both texts, and the index keeps none: of b give a file, or --fetch always\n',
    );
  });

  it('answers a list of pairs line by line, and ends it for what is no fault of a pair', async () => {
    const list = join(temporaryFolder(), 'pairs');
    writeFileSync(list, '{"a":1}\n\nnonsense\n{"a":2}\n');
    const compareAsked: IndexAccess['compareAsked'] = async (question) => {
      if ((question as { a: number }).a === 2) throw new ShingledError('unknown-url', 'It is not there.');
      return { elapsedMs: 1 } as never;
    };
    const { code, out } = await run(['compare', '--list', list], { compareAsked });
    expect(code).toBe(EXIT_CODES.refused);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { line: 1, status: 200, answer: { elapsedMs: 1 } },
      { line: 3, status: 400, code: 'invalid-json' },
      { line: 4, status: 404, code: 'unknown-url' },
    ]);
    const unreachable = () => Promise.reject(new ShingledError('service-unreachable', 'Gone.'));
    expect((await run(['compare', '--list', list], { compareAsked: unreachable })).code).toBe(EXIT_CODES.index);
  });
});
