import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import { ShingledError } from '../../../src/errors.ts';
import type { MovedAnswer, MovedCandidate, MovedRequest } from '../../../src/service/moved/moved-api.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const run = (args: string[], uses: Partial<IndexAccess>) => runWith(args, { open: async () => indexWith(uses) });

const SHARE = { estimate: 0.9, low: 0.85, high: 0.95, decision: 'yes' } as const;
const TIME = '2026-01-02T03:04:05.000Z';
const candidate = (url: string, sure: MovedCandidate['sure']): MovedCandidate => ({
  ...{ url, sure, how: 'within-host', equivalence: 'none', resemblance: SHARE, queryInMatch: SHARE },
  ...{ content: null, contentUnknown: 'whole' },
  ...{ firstSeen: TIME, lastSeen: TIME, title: null, via: null, shownUntil: TIME },
});
const answerOf = (url: string, more: Partial<MovedAnswer> = {}): MovedAnswer => ({
  ...{ url, state: 'gone', lastSeen: TIME, candidates: [], refused: [], contentsForgotten: 0, timegate: null },
  ...{ recall: { resemblance: 1, queryInMatch: 1, matchInQuery: null }, complete: true, limits: [], elapsedMs: 1 },
  ...more,
});
const at = (path: string) => `https://a.example/${path}`;

/** An index in which the path of a URL says what is known of it. */
const movedLines: IndexAccess['movedLines'] = async function* (requests: AsyncIterable<MovedRequest>) {
  let line = 0;
  for await (const { url } of requests) {
    line++;
    const name = url.slice(at('').length);
    if (name === 'unknown')
      yield { line, url, status: 404, code: 'unknown-url', detail: 'The URL is not in the index.' };
    else if (name === 'live') yield { line, status: 200, answer: answerOf(url, { state: 'live' }) };
    else if (name === 'lost') yield { line, status: 200, answer: answerOf(url) };
    else if (!url.startsWith('https:')) yield { line, url, status: 400, code: 'invalid-url', detail: 'It is none.' };
    else {
      const candidates = [candidate(`${url}-new`, name as MovedCandidate['sure'])];
      yield { line, status: 200, answer: answerOf(url, { candidates }) };
    }
  }
};

function linksFile(lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'links.txt');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const LINKS = ['certain', 'likely', 'possible', 'lost', 'live', 'unknown'].map(at);

describe('shingled moved', () => {
  it('writes a map of what is at least likely, and says what became of the rest', async () => {
    const file = linksFile(['# dead links', '', ...LINKS]);
    const { code, out, err } = await run(['moved', '--links', file], { movedLines });
    expect(out).toBe(
      `from,to,how,sure\n${at('certain')},${at('certain-new')},within-host,certain\n${at('likely')},${at('likely-new')},within-host,likely\n`,
    );
    expect(err).toBe(
      '6 old URLs: 2 in the map, 1 with less sure candidates, 1 without any, 1 alive, 1 not in the index.\n',
    );
    expect(code).toBe(EXIT_CODES.done);
  });

  it.each([
    ['certain', 1],
    ['likely', 2],
    ['possible', 3],
  ])('takes into the map what is at least %s', async (sure, entries) => {
    const args = ['moved', '--links', linksFile(LINKS), '--sure', sure, '--format', 'nginx'];
    const { out } = await run(args, { movedLines });
    expect(out.trim().split('\n')).toHaveLength(entries);
  });

  it('names what is refused, goes on, and says that something was', async () => {
    const { code, out, err } = await run(['moved', '--links', linksFile(['no url', ...LINKS])], { movedLines });
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(err).toContain('no url: It is none.\n');
    expect(err).toContain(', 1 refused.');
    expect(code).toBe(EXIT_CODES.refused);
  });

  it('gives whole answers as lines of JSON', async () => {
    const { code, out } = await run(['moved', '--links', linksFile(LINKS), '--json'], { movedLines });
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; status: number });
    expect(lines.map(({ line, status }) => [line, status])).toEqual([
      ...[1, 2, 3, 4, 5].map((line) => [line, 200]),
      [6, 404],
    ]);
    expect(code).toBe(EXIT_CODES.refused);
  });

  it('tells a person where a document is, and what is not offered', async () => {
    const refused = [
      { url: at('old'), reason: 'soft-404', sharedBy: 1200 },
      { url: at(''), reason: 'home-page', sharedBy: null },
    ] as const;
    const moved: IndexAccess['moved'] = async ({ url, limit, always }) => {
      expect({ limit, always }).toEqual({ limit: 3, always: true });
      return answerOf(url, {
        ...{ state: 'replaced', candidates: [candidate(at('new'), 'likely')], refused, contentsForgotten: 2 },
        ...{ timegate: `https://archive.example/${url}`, complete: false },
        limits: [{ code: 'candidates', affected: 1, of: 2 }],
      });
    };
    const { out } = await run(['moved', at('old'), '--limit', '3', '--always'], { moved });
    expect(out).toBe(
      [
        'https://a.example/old: it shows something else than before; last seen 2026-01-02T03:04:05.000Z',
        '  how sure  how          what it says   first seen                URL',
        '  likely    within-host  0.90 the same  2026-01-02T03:04:05.000Z  https://a.example/new',
        '  Not offered: https://a.example/old (a notice in the place of documents, of 1,200 or more).',
        '  Not offered: https://a.example/ (a home page).',
        '  2 contents that it had are forgotten.',
        '  Archived: https://archive.example/https://a.example/old',
        '  Something may be missing: candidates.',
        '',
      ].join('\n'),
    );
  });

  it('tells of one URL after the other, and of those that are not known', async () => {
    const moved: IndexAccess['moved'] = async ({ url }) => {
      if (url === at('x')) throw new ShingledError('unknown-url', 'The URL is not in the index.', { field: 'url' });
      return answerOf(url);
    };
    const { code, out, err } = await run(['moved', at('x'), at('y')], { moved });
    expect(out).toContain('https://a.example/y: it is gone;');
    expect(out).toContain('Its document is nowhere else in the index.');
    expect(err).toContain('https://a.example/x: ');
    expect(code).toBe(EXIT_CODES.refused);
  });

  it.each([
    [['moved'], 'either old URLs or --links'],
    [['moved', 'x', '--links', 'y'], 'either old URLs or --links'],
    [['moved', 'x', '--format', 'csv'], '--format is for a redirect map'],
    [['moved', '--links', 'y', '--json', '--sure', 'likely'], '--sure is for a redirect map'],
    [['moved', '--links', 'y', '--format', 'xml'], '--format takes csv, nginx, apache or htaccess: not "xml"'],
    [['moved', '--links', 'y', '--sure', 'quite'], '--sure takes certain, likely or possible: not "quite"'],
    [['moved', 'x', '--limit', '0'], 'limit'],
  ])('refuses %j', async (args, said) => {
    const { code, err } = await run(args, {});
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(said);
  });
});
