import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../src/run.ts';

/** The command line in this process. @param signal sent before anything is read */
async function cluster(args: readonly string[], signal?: NodeJS.Signals, isTTY = false) {
  const printed = { out: '', err: '' };
  const nothing = () => undefined;
  const once = (name: string, listener: (signal: string) => void) => {
    if (name === signal) setImmediate(() => listener(name));
  };
  const write = (chunk: unknown, _: unknown, done: () => void) => {
    printed.out += String(chunk);
    done();
  };
  const stdout = Object.assign(new Writable({ write }), { isTTY });
  const stderr = {
    isTTY: false,
    write: (text: string) => {
      printed.err += text;
    },
  };
  const host = {
    ...{ argv: [process.execPath, 'shingled', 'cluster', ...args], env: {}, pid: process.pid, stdout, stderr, once },
    ...{ umask: nothing, listeners: () => [], on: nothing, off: nothing, exit: nothing },
  };
  return { code: await run(host as unknown as NodeJS.Process, '0'), ...printed };
}

const folder = mkdtempSync(join(tmpdir(), 'shingled-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const corpus = join(folder, 'pages.ndjson');
const result = join(folder, 'result');
const WORDS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(
  ' ',
);
const lineOf = (url: string, text: string) => JSON.stringify({ op: 'put', url, text });

beforeAll(async () => {
  const lines = [
    lineOf('https://a.example/one', WORDS.join(' ')),
    lineOf('https://a.example/1', WORDS.join(', ')),
    lineOf('https://b.example/', `${WORDS.join(' ')} and more`),
    lineOf('https://c.example/', WORDS.toReversed().join(' ')),
    '{"op": "put", "url": "https://d.example/"',
    lineOf('https://e.example/', ' '),
  ];
  writeFileSync(corpus, `${lines.join('\n')}\n`);
  const { code, out, err } = await cluster([corpus, '--out', result]);
  expect(code).toBe(6);
  // what it takes is told twice
  expect(err).toMatch(
    /^Before .*: memory at the most .* \(--memory\), temporary files up to 10.0 MiB; .* are free there\.\nDocuments are/,
  );
  expect(err).toMatch(
    /\nDocuments are read: memory about .*iB, at the most .*iB \(--memory\), temporary files up to .*\n$/,
  );
  expect(out).toContain('records                            6\n');
  expect(out).toContain('left out: malformed                1\n');
  expect(out).toContain('left out: empty-document           1\n');
  expect(out).toMatch(/^0\.5 +1 +3 +3 +0 +99\.86 %$/m);
});

describe('shingled cluster', () => {
  it('prints the clusters of a result at any threshold, as JSON or for each URL', async () => {
    const { code, out } = await cluster([result, '--at', '.5,1']);
    expect(code).toBe(0);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([
      expect.objectContaining({ threshold: 0.5, documents: 3, texts: 2, representative: 'https://b.example/' }),
      expect.objectContaining({ threshold: 1, documents: 2, texts: 1, weakest: null }),
    ]);
    expect((await cluster([result, '--at', '1', '--tsv'])).out).toBe(
      'threshold\tcluster\tdocuments\turl\n1\t1\t2\thttps://a.example/one\n1\t1\t2\thttps://a.example/1\n',
    );
    const { out: json } = await cluster([result, '--json']);
    expect(JSON.parse(json)).toMatchObject({ counts: { documents: 4, texts: 3 }, leftOut: { malformed: 1 } });
  });

  it('prints on a terminal how many clusters there are and the largest, and all where that is asked for', async () => {
    const { code, out } = await cluster([result, '--at', '.5,1'], undefined, true);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        ...['resemblance 0.5 or more: 1 cluster of 3 documents', ''],
        '1. 3 documents, 2 different texts; the weakest link is 0.833333',
        ...['   https://a.example/one', '   https://a.example/1', '   https://b.example/', ''],
        ...['resemblance 1 or more: 1 cluster of 2 documents', ''],
        '1. 2 documents, 1 different text; one set of shingles',
        ...['   https://a.example/one', '   https://a.example/1', ''],
        'For all clusters: --json, --tsv, or send the output to a file or a pipe.\n',
      ].join('\n'),
    );
    for (const how of ['--json', '--tsv']) {
      const piped = await cluster([result, '--at', '.5', ...(how === '--tsv' ? [how] : [])]);
      expect((await cluster([result, '--at', '.5', how], undefined, true)).out).toBe(piped.out);
    }
  });

  it('writes pairs and a drawing', async () => {
    const [pairs, plot] = [join(folder, 'pairs.ndjson'), join(folder, 'sweep.svg')];
    expect((await cluster([result, '--pairs', pairs, '--plot', plot])).code).toBe(0);
    const [pair, ...more] = readFileSync(pairs, 'utf8').trim().split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(pair!)).toMatchObject({ resemblance: { estimate: 0.833333, low: 0.833333 }, aInB: { high: 1 } });
    expect(readFileSync(plot, 'utf8')).toMatch(/^<svg [\s\S]*<polyline points="90\.0[\s\S]*<\/svg>\n$/);
    expect((await cluster([result, '--plot', join(folder, 'none', 'x.svg')])).err).toContain('--plot');
  });

  it('writes which documents may go, and which stays for each', async () => {
    const removals = join(folder, 'removals.ndjson');
    expect((await cluster([result, '--at', '.8', '--removals', removals])).code).toBe(0);
    const linesOf = () =>
      readFileSync(removals, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(linesOf()).toEqual([
      expect.objectContaining({ record: 0, keptUrl: 'https://b.example/', reason: 'near-copy' }),
      expect.objectContaining({
        record: 1,
        keptRecord: 2,
        keptIn: { estimate: 0.833333, low: 0.833333, high: 0.833334 },
      }),
    ]);
    expect((await cluster([result, '--at', '.9', '--removals', removals, '--prefer', 'first'])).code).toBe(0);
    expect(linesOf()).toEqual([
      expect.objectContaining({ url: 'https://a.example/1', keptUrl: 'https://a.example/one', reason: 'same-text' }),
    ]);
  });

  it.each([
    [[], /needs a corpus/],
    [[result, '--removals', join(folder, 'x')], /--removals needs --at/],
    [[result, '--at', '.5,.8', '--removals', join(folder, 'x')], /--removals needs --at with exactly one/],
    [[result, '--at', '.5', '--prefer', 'best'], /--prefer takes oldest/],
    [
      [result, '--at', '.5', '--by', 'containment'],
      /--by containment cannot be .* was made of .* by resemblance, with --content page and a floor of 0\.25/,
    ],
    [[result, '--at', '.5', '--floor', '.1'], /--floor \.1 cannot be answered/],
    [[result, '--at', '.5', '--floor', '.4'], /use --at/],
    [[result, '--at', '.5', '--content', 'main'], /--content main cannot be answered: .* with --content page/],
    [[result, '--content', 'article'], /--content takes page, main or auto/],
    ...[
      'url-field',
      'text-field',
      'html-field',
      'features-field',
      'date-field',
      'url-prefix',
      'format',
      'include',
      'exclude',
    ].map((name): [string[], RegExp] => [
      [result, '--at', '.5', `--${name}`, 'x'],
      new RegExp(`--${name} says how a result is`),
    ]),
    [[result, '--gitignore'], /--gitignore says how a result is made: .* For anything else/],
    [[result, '--memory', '1G'], /--memory says/],
    [[result, '--sketches'], /--sketches says/],
    [[result, '--tsv'], /--tsv needs --at/],
    [[result, '--at', '.5', '--tsv', '--json'], /--tsv does not go with --json/],
    [[result, '--at', '.5', '--prefer', 'first'], /--prefer needs --removals/],
    [[join(folder, 'nothing')], /There is no file or folder .*nothing/],
    [[corpus], /cluster needs --out with the folder/],
    [[result, '--at', '0'], /--at takes shares/],
    [[result, '--at', '.5,two'], /not "two"/],
    [[result, '--at', '.1'], /floor, 0\.25/],
    [[corpus, '--out', join(folder, 'x'), '--by', 'size'], /--by takes resemblance or containment/],
    [[corpus, '--out', join(folder, 'x'), '--floor', '2'], /--floor takes a share/],
    [[corpus, '--out', result], /There is a result/],
    // of which Node's own way does not come to an end
    [[corpus, '--out', '/proc/x'], /\/proc\/x cannot be made/],
    [[corpus, result, '--out', join(folder, 'x')], /result is a result, and no corpus/],
    [[join(folder, 'absent.ndjson'), '--out', join(folder, 'x')], /There is no file or folder .*absent\.ndjson/],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, out, err } = await cluster(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('takes what a result was made with, which is what it answers', async () => {
    const asked = await cluster([result, '--at', '.5', '--by', 'resemblance', '--floor', '0.250']);
    expect(asked).toEqual(await cluster([result, '--at', '.5']));
  });

  it('that is interrupted says how to go on, and goes on', async () => {
    const out = join(folder, 'interrupted');
    const { code, err } = await cluster([corpus, '--out', out], 'SIGINT');
    expect(code).toBe(7);
    expect(err).toContain('The same command goes on');
    expect(existsSync(join(out, 'clusters.json'))).toBe(false);
    expect((await cluster([corpus, '--out', out, '--at', '1'])).code).toBe(6);
  });
});
