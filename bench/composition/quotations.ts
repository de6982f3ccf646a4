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
  const sources = await fillSources(service, length);
  const rows: Row[] = [];
  for (const textWords of length === LONG_TEXTS_OF ? [SHORT_TEXT, LONG_TEXT] : [SHORT_TEXT]) {
    const texts = Math.ceil(runs / QUOTATIONS_OF_A_TEXT / (textWords === LONG_TEXT ? 10 : 1));
    for (const [what, way] of Object.entries(WAYS)) {
      const asked = { minimumWords: WORDS_ASKED[what] ?? 25, ownWords: textWords, quotations: QUOTATIONS_OF_A_TEXT };
      const { found, of } = await countFound(service, sources, way, { ...asked, texts }, random);
      const row = `${what}, of ${length.toLocaleString('en-US')}, in a text of ${(textWords + 200).toLocaleString('en-US')}; ${name}`;
      rows.push({ row, value: found / of, unit: `of ${of}`, ...(FEWER.has(what) ? {} : { target: '>= 0.99' }) });
    }
  }
  return rows;
}

type Sources = readonly (readonly string[])[];

const sourceUrl = (sources: Sources, source: number) => `https://quoted.example/${sources[0]!.length}/${source}`;

/** Sources of so many words, indexed. */
async function fillSources(service: Awaited<ReturnType<typeof startService>>, length: number): Promise<Sources> {
  // a word has 7 bytes or less
  const count = Math.min(SOURCES_OF_A_LENGTH, WORDS_OF_A_LENGTH / length);
  const sources = Array.from({ length: count }, (_, i) =>
    textOf(length * 1000 + i, length * 9)
      .split(' ')
      .slice(0, length),
  );
  await fill(
    service,
    sources.map((words) => words.join(' ')),
    (source) => sourceUrl(sources, source),
  );
  return sources;
}

interface Quoting {
  readonly texts: number;
  /** Of a text: words that are its own, and how many sources it quotes. */
  readonly ownWords: number;
  readonly quotations: number;
  readonly minimumWords: number;
}

async function countFound(
  service: Awaited<ReturnType<typeof startService>>,
  sources: Sources,
  way: Way,
  { texts, ownWords, quotations, minimumWords }: Quoting,
  random: () => number,
) {
  let [found, recall] = [0, 1];
  for (let run = 0; run < texts; run++) {
    const quoted = new Set<number>();
    while (quoted.size < quotations) quoted.add(Math.floor(random() * sources.length));
    const own = textOf(Math.floor(random() * 2 ** 30), ownWords * 9)
      .split(' ')
      .slice(0, ownWords);
    for (const source of quoted) {
      const kept = way(wordsFrom(sources[source]!, QUOTED, random), random);
      own.splice(Math.floor(random() * own.length), 0, kept.join(' '));
    }
    const asked = { find: 'quotations', minimumWords, limit: 100, passages: false } as const;
    const { parts, recall: stated } = await composition(service, own.join(' '), asked);
    const urls = new Set(parts.flatMap((part) => part.sources.map(({ url }) => url)));
    for (const source of quoted) found += Number(urls.has(sourceUrl(sources, source)));
    recall = Math.min(recall, stated.words!);
  }
  return { found, of: texts * quotations, recall };
}

/** Words of texts that quote: of the shortest almost all is the quotation. */
const TEXT_LENGTHS = [50, 500, 5000, 50_000];
const LENGTHS_QUOTED = [50, 1000, 10_000];
const PRESET_WAYS = [
  '50 words, 40 kept, cut short',
  '50 words, 40 kept, 10 in the middle left out',
  '50 words, 40 kept, 10 in two places others',
];

/** An index that is made for quotations (docs/composition.md), for texts of any length. */
export async function presetRows(runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  const service = await startService({ INDEX_MODULUS: '2' });
  try {
    for (const length of LENGTHS_QUOTED) {
      const random = randomFrom(length);
      const sources = await fillSources(service, length);
      for (const textWords of TEXT_LENGTHS) {
        const quotations = textWords < 500 ? 1 : QUOTATIONS_OF_A_TEXT;
        const ownWords = Math.max(10, textWords - quotations * QUOTED);
        const texts = Math.ceil(runs / quotations);
        for (const what of PRESET_WAYS) {
          const quoting = { texts, ownWords, quotations, minimumWords: 25 };
          const { found, of, recall } = await countFound(service, sources, WAYS[what]!, quoting, random);
          const lengths = [length, textWords].map((words) => words.toLocaleString('en-US'));
          rows.push({
            row: `${what}, of ${lengths[0]}, in a text of ${lengths[1]}; INDEX_MODULUS 2`,
            value: found / of,
            unit: `of ${of}`,
            target: '>= 0.99',
            note: `recall.words ${recall}`,
          });
        }
      }
    }
  } finally {
    await service.stop();
  }
  return rows;
}
