/*
 * How well main text is told from the rest of a page, as word F1, precision and recall, and as F of segments:
 *
 *     npm run accuracy:main -- FOLDER [--json]
 *
 * FOLDER has one set or more, in the forms of gold-pages.ts. Sets that the weights were learnt from say nothing: the head of
 * src/extract/html/main/main-weights.generated.ts names them.
 */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { pageContent } from '../../src/extract/html/html-scanner.ts';
import { goldPages, segmentPages, setsIn, wordsOf } from './gold-pages.ts';
import { wordFigures } from './gold-text.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: npm run accuracy:main -- FOLDER [--json]');

const rows = setsIn(folder).flatMap((set) => [...wordRows(set), ...segmentRows(set)]);
if (values.json === true) process.stdout.write(`${JSON.stringify(rows)}\n`);
else process.stdout.write(`${rows.map((row) => Object.values(row).join('\t')).join('\n')}\n`);

/** Means over the pages of a set, and over those of each kind. */
function wordRows(set: string) {
  const figures = new Map<string, (readonly [number, number, number])[]>();
  for (const { html, main, kind } of goldPages(set)) {
    const found = wordFigures(wordsOf(mainText(html)), wordsOf(main));
    for (const name of ['all', kind]) figures.set(name, [...(figures.get(name) ?? []), found]);
  }
  return Array.from(figures, ([kind, all]) => ({
    set: basename(set),
    kind,
    pages: all.length,
    ...named([0, 1, 2].map((i) => all.reduce((sum, one) => sum + one[i]!, 0) / all.length) as [number, number, number]),
  }));
}

/** Over all segments of a set: one that has to be there is found where its words are, in their order. */
function segmentRows(set: string) {
  const pages = segmentPages(set);
  if (pages.length === 0) return [];
  let [found, wrong, missing] = [0, 0, 0];
  for (const page of pages) {
    const text = ` ${wordsOf(mainText(page.html)).join(' ')} `;
    const has = (segment: string) => text.includes(` ${wordsOf(segment).join(' ')} `);
    const there = page.with.filter(has).length;
    found += there;
    missing += page.with.length - there;
    wrong += page.without.filter(has).length;
  }
  const [precision, recall] = [found / (found + wrong || 1), found / (found + missing || 1)];
  const f = (2 * precision * recall) / (precision + recall || 1);
  return [{ set: basename(set), kind: 'segments', pages: pages.length, ...named([f, precision, recall]) }];
}

function named([f1, precision, recall]: readonly [number, number, number]) {
  const shown = (share: number) => Number(share.toFixed(3));
  return { f1: shown(f1), precision: shown(precision), recall: shown(recall) };
}

/** All of the text where it is not known what is main. */
function mainText(html: Uint8Array): string {
  const { text, main } = pageContent(html, false);
  const ranges = main ?? Uint32Array.of(0, text.length);
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let i = 0; i < ranges.length; i += 2) parts.push(decoder.decode(text.subarray(ranges[i], ranges[i + 1])));
  return parts.join('\n');
}
