import { describe, expect, it } from 'vitest';
import { summaryText, type Wishes } from '../../../src/cli/ingest/ingest-texts.ts';
import { emptyTally, type IngestSummary, summaryOf, type Tally } from '../../../src/cli/ingest/tally.ts';

const WISHES: Wishes = {
  ...{ inputs: ['crawl.warc.gz'], empty: [], areAllNamed: false, hasUrlPrefix: false, hasPatterns: false },
  columns: Number.POSITIVE_INFINITY,
};

const example = (detail: string, url: string | null = null) => ({ file: 'f', at: 'line 1', url, detail });

function summary(tally: Partial<Tally>, more: Partial<IngestSummary> = {}): IngestSummary {
  const phases = { reading: 3, sorting: 0, writing: 1, fetching: 0, syncing: 0 };
  const run = { end: 'done', isDryRun: false, elapsedMs: 1234, examples: { refused: {}, passedOver: {} } } as const;
  return { ...summaryOf({ ...emptyTally(), ...tally }, { ...run, phases, before: emptyTally() }), ...more };
}

const headOf = (text: string) => text.split('\n')[0];

describe('what a load came to', () => {
  it('has what is passed over apart from what is refused, the most frequent first', () => {
    const passedOver = { 'no-document': 7, 'unknown-url': 1200 };
    const examples = {
      refused: { 'empty-document': example('No words.', 'https://a.example/') },
      passedOver: {
        'no-document': example('a warcinfo'),
        'unknown-url': example('https://a.example/ is not there.', 'https://a.example/'),
      },
    };
    const tally = { read: 1210, results: { created: 2 }, refused: { 'empty-document': 1 }, passedOver };
    const text = summaryText(summary(tally, { examples }), false, WISHES);
    expect(text.split('\n\n').slice(1)).toEqual([
      'Refused, with the first of each reason\n  1  empty-document: the document has no words\n     f, line 1 (https://a.example/): No words.',
      [
        'Passed over, which is no failure',
        '  1,200  unknown-url: it is gone, and the index never had it',
        '         f, line 1: https://a.example/ is not there.',
        '      7  no-document: records and files without a document, such as requests and redirects',
        '         f, line 1: a warcinfo',
      ].join('\n'),
      '--errors <file> writes down each of them.\n',
    ]);
    expect(text).toMatch(/^refused +1$/m);
    expect(text).toMatch(/^passed over +1,207$/m);
    expect(summaryText(summary(tally, { examples }), false, { ...WISHES, areAllNamed: true })).not.toContain(
      '--errors',
    );
  });

  it('says first that nothing was read, and why', () => {
    const told = (wishes: Partial<Wishes>) => headOf(summaryText(summary({}), false, { ...WISHES, ...wishes }));
    expect(told({})).toBe('Nothing was read: there is no record or document in crawl.warc.gz.');
    expect(told({ inputs: ['-'] })).toBe('Nothing was read: there is no record or document in standard input.');
    expect(told({ inputs: ['a', 'b'] })).toContain('in any of the 2 inputs.');
    expect(told({ hasPatterns: true })).toContain('that --include, --exclude and --gitignore let through.');
    expect(told({ inputs: ['a'], empty: ['a'] })).toBe('Nothing was read: a is empty.');
    expect(told({ inputs: ['a', 'b'], empty: ['a', 'b'] })).toContain('2 files are empty, the first of them a.');
    expect(headOf(summaryText(summary({}, { end: 'interrupted' }), false, WISHES))).toMatch(/^read /);
  });

  it('names files without a byte among others', () => {
    expect(headOf(summaryText(summary({ read: 1 }), false, { ...WISHES, empty: ['a'] }))).toBe('a is empty.');
  });

  it('says first that nothing was taken, and what helps where all have one reason', () => {
    const passedOver = { 'unusable-type': 3 };
    expect(headOf(summaryText(summary({ read: 3, passedOver }), false, WISHES))).toBe(
      'Nothing was taken: all that was read was passed over.',
    );
    const refused = { 'no-url': 2 };
    const examples = { refused: { 'no-url': example('There is none.') }, passedOver: {} };
    const all = summaryText(summary({ read: 2, refused }, { examples }), false, WISHES);
    expect(headOf(all)).toBe('Nothing was taken: all that was read was refused.');
    expect(all).toContain('     f, line 1: There is none.\n     --url-field <name> says which field has the URL;');
    expect(summaryText(summary({ read: 3, refused }, { examples }), false, WISHES)).not.toContain('--url-field');
    const advised = { refused: { 'no-url': example('Give it one by --url-prefix.') }, passedOver: {} };
    expect(summaryText(summary({ read: 2, refused }, { examples: advised }), false, WISHES)).not.toContain(
      '--url-field',
    );
  });

  it('says of documents with the URLs of files that a prefix gives them others', () => {
    expect(summaryText(summary({ read: 1 }), true, WISHES)).toContain('--url-prefix gives them others.');
    expect(summaryText(summary({ read: 1 }), true, { ...WISHES, hasUrlPrefix: true })).not.toContain('--url-prefix');
  });

  it('fits the terminal', () => {
    const examples = { refused: { malformed: example('word '.repeat(60).trim()) }, passedOver: {} };
    const of = { read: 2, refused: { malformed: 1 } };
    const text = summaryText(summary(of, { examples }), false, { ...WISHES, columns: 60 });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
