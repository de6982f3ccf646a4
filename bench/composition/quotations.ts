import { startService } from '../support/service-process.ts';
import type { Row } from '../support/table.ts';
import { randomFrom, textOf } from '../support/texts.ts';
import { composition, fill, wordsFrom } from './ask.ts';

/*
 * Texts with four quotations each, of sources of one length: of 50 words 40 are kept in one of four ways, or 50, or 25 words. And
 * what is told that is too short: 20 words, or 15.
 *
 * 40 kept words in runs of any length have so many windows of 7 words whole: 34 in one run, 28 in two, 22 in three. The index
 * posts one in m of them. So no more than 1 - (1 - 1/m)^windows can be found of a long source.
 */

/** Of sources, so many, but no more words in all than this. */
const SOURCES_OF_A_LENGTH = 100;
const WORDS_OF_A_LENGTH = 1_000_000;
/** Words of a source. */
const LENGTHS = [50, 300, 1000, 10_000, 100_000];
const QUOTATIONS_OF_A_TEXT = 4;
/** Words of a text without its quotations; the long ones are asked a tenth as often, of sources of one length. */
const [SHORT_TEXT, LONG_TEXT] = [324, 60_000];
const LONG_TEXTS_OF = 1000;
const QUOTED = 50;

const other = (random: () => number) => `new${Math.floor(random() * 1e6).toString(36)}`;

type Way = (words: readonly string[], random: () => number) => string[];
const HERE_AND_THERE: Way = (words, random) => {
  const changed = new Set<number>();
  while (changed.size < words.length / 5) changed.add(Math.floor(random() * words.length));
  return words.map((word, i) => (changed.has(i) ? other(random) : word));
};
/** What is asked for where 25 words, as where nothing is said, are not. */
const WORDS_ASKED: Readonly<Record<string, number>> = { '50 words, 40 kept, 10 here and there others, 8 asked for': 8 };
const FEWER: ReadonlySet<string> = new Set(['20 words, too few', '15 words, too few']);

const WAYS: Readonly<Record<string, Way>> = {
  '50 words': (words) => [...words],
  '50 words, 40 kept, cut short': (words) => words.slice(0, 40),
  '50 words, 40 kept, 10 in the middle left out': (words) => [...words.slice(0, 20), ...words.slice(30)],
  '50 words, 40 kept, 10 in two places others': (words, random) =>
    words.map((word, i) => ((i >= 10 && i < 15) || (i >= 35 && i < 40) ? other(random) : word)),
  '50 words, 40 kept, 10 here and there others': HERE_AND_THERE,
  '50 words, 40 kept, 10 here and there others, 8 asked for': HERE_AND_THERE,
  '25 words': (words) => words.slice(0, 25),
  '20 words, too few': (words) => words.slice(0, 20),
  '15 words, too few': (words) => words.slice(0, 15),
};

export async function quotationRows(runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, record] of [
    [8, 4],
    [4, 4],
    [2, 2],
  ] as const) {
    const service = await startService({ INDEX_MODULUS: String(index), RECORD_MODULUS: String(record) });
    try {
      for (const length of LENGTHS)
        rows.push(...(await rowsOfLength(service, length, runs, `moduli ${index} and ${record}`)));
    } finally {
      await service.stop();
    }
  }
  return rows;
}

async function rowsOfLength(
  service: Awaited<ReturnType<typeof startService>>,
  length: number,
  runs: number,
  name: string,
): Promise<Row[]> {
  const random = randomFrom(length);
  // a word has 7 bytes or less
  const count = Math.min(SOURCES_OF_A_LENGTH, WORDS_OF_A_LENGTH / length);
  const sources = Array.from({ length: count }, (_, i) =>
    textOf(length * 1000 + i, length * 9)
      .split(' ')
      .slice(0, length),
  );
  const urlOf = (source: number) => `https://quoted.example/${length}/${source}`;
  await fill(
    service,
    sources.map((words) => words.join(' ')),
    urlOf,
  );
  const rows: Row[] = [];
  for (const textWords of length === LONG_TEXTS_OF ? [SHORT_TEXT, LONG_TEXT] : [SHORT_TEXT]) {
    const texts = Math.ceil(runs / QUOTATIONS_OF_A_TEXT / (textWords === LONG_TEXT ? 10 : 1));
    for (const [what, way] of Object.entries(WAYS)) {
      let found = 0;
      for (let run = 0; run < texts; run++) {
        const quoted = new Set<number>();
        while (quoted.size < QUOTATIONS_OF_A_TEXT) quoted.add(Math.floor(random() * sources.length));
        const own = textOf(Math.floor(random() * 2 ** 30), textWords * 9)
          .split(' ')
          .slice(0, textWords);
        for (const source of quoted) {
          const kept = way(wordsFrom(sources[source]!, QUOTED, random), random);
          own.splice(Math.floor(random() * own.length), 0, kept.join(' '));
        }
        const { parts } = await composition(service, own.join(' '), {
          find: 'quotations',
          minimumWords: WORDS_ASKED[what] ?? 25,
          limit: 100,
          passages: false,
        });
        const urls = new Set(parts.flatMap((part) => part.sources.map(({ url }) => url)));
        for (const source of quoted) found += Number(urls.has(urlOf(source)));
      }
      const of = texts * QUOTATIONS_OF_A_TEXT;
      const row = `${what}, of ${length.toLocaleString('en-US')}, in a text of ${(textWords + 200).toLocaleString('en-US')}; ${name}`;
      rows.push({ row, value: found / of, unit: `of ${of}`, ...(FEWER.has(what) ? {} : { target: '>= 0.99' }) });
    }
  }
  return rows;
}
