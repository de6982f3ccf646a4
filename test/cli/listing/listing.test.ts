import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import type { Selection } from '../../../src/service/api.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';

const run = (args: string[], uses: Partial<IndexAccess>) => runWith(args, { open: async () => indexWith(uses) });

const document = (n: number) =>
  ({ url: `https://a.example/${n}`, state: 'live', observedAt: '2026-01-02T00:00:00.000Z' }) as never;

describe('shingled list', () => {
  it('asks for page after page, for no more than it is to list', async () => {
    const asked: [number, string | null][] = [];
    const list: IndexAccess['list'] = async (_selection, { limit, cursor }) => {
      asked.push([limit, cursor]);
      const first = cursor === null ? 0 : Number(cursor);
      const count = Math.min(limit, 1000);
      const documents = Array.from({ length: count }, (_, n) => document(first + n));
      return { documents, unreadable: [], cursor: String(first + count) };
    };
    const { code, out } = await run(['list', '--limit', '2500', '--json'], { list });
    expect(code).toBe(EXIT_CODES.done);
    expect(out.trim().split('\n')).toHaveLength(2500);
    expect(asked).toEqual([
      [1000, null],
      [1000, '1000'],
      [500, '2000'],
    ]);
  });

  it('asks for what is selected', async () => {
    let asked: Selection | null = null;
    const list: IndexAccess['list'] = async (selection) => {
      asked = selection;
      return { documents: [document(1)], unreadable: ['https://a.example/2'], cursor: null };
    };
    const selected =
      '--host a.example --subdomains --prefix https://a.example/x --from 2026-01-02 --to 2026-01-03T00:00:00Z --meta crawl=spring --meta a=b=c --known-as gone';
    const { code, out, err } = await run(['list', ...selected.split(' ')], { list });
    expect(asked).toEqual({
      ...{ host: 'a.example', subdomains: true, prefix: 'https://a.example/x', state: 'gone' },
      ...{ observedFrom: Date.parse('2026-01-02'), observedTo: Date.parse('2026-01-03') },
      meta: { crawl: 'spring', a: 'b=c' },
    });
    expect(out).toBe('2026-01-02T00:00:00.000Z  live  https://a.example/1\n');
    expect({ code, err }).toEqual({ code: EXIT_CODES.damaged, err: expect.stringContaining('1 documents nothing') });
  });

  it('adds up a host that goes on on the next page', async () => {
    const pages = [
      {
        hosts: [
          { host: 'a', documents: 1 },
          { host: 'b', documents: 2 },
        ],
        unreadableCount: 0,
        cursor: '1',
      },
      { hosts: [{ host: 'b', documents: 40 }], unreadableCount: 0, cursor: '2' },
      {
        hosts: [
          { host: 'b', documents: 500 },
          { host: null, documents: 7 },
        ],
        unreadableCount: 0,
        cursor: null,
      },
    ];
    const { out } = await run(['list', '--by-host', '--json'], {
      countByHost: async (_selection, { cursor }) => pages[Number(cursor ?? 0)]!,
    });
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { host: 'a', documents: 1 },
      { host: 'b', documents: 542 },
      { host: null, documents: 7 },
    ]);
  });
});

describe('shingled delete', () => {
  const answer = { matched: 5, deleted: 0, unreadableCount: 0, elapsedMs: 1 };

  it('counts, and deletes what it has counted, in as many calls as it takes', async () => {
    const calls: unknown[] = [];
    const answers = [
      { ...answer, confirm: 'five' },
      { ...answer, deleted: 3, confirm: 'two' },
      { ...answer, deleted: 2, confirm: null },
    ];
    const forgetSelected: IndexAccess['forgetSelected'] = async (_selection, options) => {
      calls.push(options);
      return answers[calls.length - 1]!;
    };
    const { code, out } = await run(['delete', '--host', 'a.example', '--yes'], { forgetSelected });
    expect({ code, out }).toEqual({ code: EXIT_CODES.done, out: 'Deleted 5 of 5 documents.\n' });
    expect(calls).toEqual([
      { dryRun: true, confirm: null },
      { dryRun: false, confirm: 'five' },
      { dryRun: false, confirm: 'two' },
    ]);
  });

  it('only counts in a dry run, and where nobody says yes', async () => {
    const calls: unknown[] = [];
    const forgetSelected = async (_: unknown, how: unknown) => {
      calls.push(how);
      return { ...answer, confirm: 'five' };
    };
    const told = await run(['delete', '--host', 'a.example'], { forgetSelected });
    expect(told).toMatchObject({ code: EXIT_CODES.done, out: '5 documents would be deleted: with --yes they are.\n' });
    expect(calls).toEqual([{ dryRun: true, confirm: null }]);
    const { out } = await run(['delete', '--host', 'a.example', '--dry-run', '--json'], { forgetSelected });
    expect(JSON.parse(out)).toEqual({ matched: 5, deleted: 0, unreadableCount: 0 });
  });

  it.each([
    [['--host', 'a.example', '--yes', '--dry-run'], '--yes does not go with --dry-run'],
    [['--yes'], 'at least one option that selects documents'],
    [['--subdomains', '--yes'], '--subdomains needs --host'],
    [['--from', 'soon', '--yes'], '--from takes a day or a time'],
    [['--meta', 'crawl', '--yes'], '--meta takes a key and its value'],
    [['--known-as', 'lost', '--yes'], '--known-as takes live or gone'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await run(['delete', ...args], {});
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(why) });
  });
});
