import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import { ShingledError } from '../../../src/errors.ts';
import type { ChangedVersion, ChangeRate, Selection } from '../../../src/service/api.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';

const run = (args: string[], uses: Partial<IndexAccess>) => runWith(args, { open: async () => indexWith(uses) });
const URL = 'https://a.example/x';
const NONE = { identical: 0, formatting: 0, template: 0, edited: 0, replaced: 0, gone: 0, back: 0, unknown: 0 };
const RATE: ChangeRate = { days: 40, changes: { ...NONE, edited: 2 }, perDay: { ...NONE, edited: 0.05 } };
const share = (estimate: number, low = estimate, high = estimate) => ({ estimate, low, high, decision: null });

const version = (day: number, change: ChangedVersion['change'] = null): ChangedVersion => ({
  ...{ observedAt: `2026-01-0${day}T00:00:00.000Z`, lastSeen: `2026-01-0${day}T12:00:00.000Z`, state: 'live' },
  ...{ httpStatus: 200, content: 'forgotten', change },
});

describe('shingled versions', () => {
  it('shows how a URL has changed, and how often', async () => {
    const change = { kind: 'edited', since: '2026-01-01T12:00:00.000Z', resemblance: share(0.9, 0.85, 0.93) } as const;
    const shares = { beforeInAfter: share(0.98), afterInBefore: share(0.91) };
    const told = [version(2, { ...change, ...shares }), version(1)];
    const { code, out } = await run(['versions', URL], {
      versions: async (url) => ({ url, versions: told, rate: RATE, cursor: null }),
    });
    expect(code).toBe(EXIT_CODES.done);
    expect(out).toBe(
      [
        URL,
        '  from                      last seen                 change  resemblance       kept  new',
        '  2026-01-02T00:00:00.000Z  2026-01-02T12:00:00.000Z  edited  .90 (.85 to .93)  .98   .09',
        '  2026-01-01T00:00:00.000Z  2026-01-01T12:00:00.000Z',
        '  in 40 days: edited 2 (every 20 days)',
        '',
      ].join('\n'),
    );
  });

  it('says of one day that it is one', async () => {
    const rate = { days: 1, changes: { ...NONE, edited: 1 }, perDay: { ...NONE, edited: 1 } };
    const versions: IndexAccess['versions'] = async (url) => ({ url, versions: [version(1)], rate, cursor: null });
    expect((await run(['versions', URL], { versions })).out).toContain('in 1 day: edited 1 (every 1 day)');
  });

  it('asks for page after page, for no more than are wanted', async () => {
    const asked: number[] = [];
    const versions: IndexAccess['versions'] = async (url, { limit, cursor }) => {
      asked.push(limit);
      const told = Array.from({ length: limit }, () => version(1));
      return { url, versions: told, rate: { days: 0, changes: NONE, perDay: null }, cursor: `${cursor}+` };
    };
    const { out } = await run(['versions', URL, '--limit', '2500', '--json'], { versions });
    expect(asked).toEqual([1000, 1000, 500]);
    expect((JSON.parse(out) as { versions: object[] }).versions).toHaveLength(2500);
  });

  it('goes on behind a URL that is not known', async () => {
    const versions: IndexAccess['versions'] = async (url) => {
      if (url === URL) throw new ShingledError('unknown-url', 'The URL is not in the index.');
      return { url, versions: [version(1)], rate: { days: 0.5, changes: NONE, perDay: NONE }, cursor: null };
    };
    const { code, out, err } = await run(['versions', URL, 'https://b.example/'], { versions });
    expect({ code, out, err }).toEqual({
      code: EXIT_CODES.refused,
      out: expect.stringContaining('no change in 0.5 days'),
      err: expect.stringContaining(URL),
    });
    expect((await run(['versions', URL], { versions })).code).not.toBe(EXIT_CODES.done);
    const lines = (await run(['versions', URL, 'https://b.example/', '--json'], { versions })).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { url: URL, code: 'unknown-url', detail: 'The URL is not in the index.' },
      { url: 'https://b.example/' },
    ]);
  });

  it('shows how often documents of hosts change', async () => {
    const asked: [Selection, string | null][] = [];
    const changesByHost: IndexAccess['changesByHost'] = async (selection, { cursor }) => {
      asked.push([selection, cursor]);
      const host = { host: cursor === null ? 'a.example' : null, documents: 3, versions: 5, ...RATE };
      return { hosts: [host], unreadableCount: cursor === null ? 0 : 2, cursor: cursor === null ? '1' : null };
    };
    const { code, out, err } = await run(['versions', '--host', 'a.example'], { changesByHost });
    expect(asked.map(([{ host }, cursor]) => [host, cursor])).toEqual([
      ['a.example', null],
      ['a.example', '1'],
    ]);
    expect(out).toContain('a.example  3          5         40    0           0         2       0         0     0\n');
    expect(out).toContain('(names without a host)');
    expect({ code, err }).toEqual({ code: EXIT_CODES.damaged, err: expect.stringContaining('2 documents') });
    const lines = (await run(['versions', '--json'], { changesByHost })).out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ host: 'a.example' }, { host: null }]);
  });

  it.each([
    [['versions', URL, '--host', 'a.example'], 'not both'],
    [['versions', '--limit', '3'], '--limit needs a URL'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await run(args, {});
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(why) });
  });
});
