/*
 * What it costs to tell what two texts have in common, by size: milliseconds of CPU time in all, and the longest step, for which
 * everything else that the event loop does has to wait. Beside texts as people edit them, texts that repeat themselves.
 *
 *     node bench/compare/differences.ts [--json]
 */

import { compareTextSteps } from '../../src/core/differences/compare-texts.ts';
import { wordedTextSteps } from '../../src/core/differences/worded-text.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createTextMaker } from '../../test/support/core/make-documents.ts';
import { createPrng } from '../../test/support/prng.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';

const ROUNDS = 5;
const SHINGLE_SIZE = 7;
const SIZES = [1000, 10_000, 100_000, 700_000];

const prng = createPrng(1776);
const make = createTextMaker(1776);
const sketcher = createSketcher(deriveIdentity(new Uint8Array(32).fill(7), SHINGLE_SIZE).fingerprint);
const rows: Row[] = [];

for (const words of SIZES) {
  for (const [name, a, b] of textsOf(words)) {
    const rounds = Array.from({ length: ROUNDS }, () => round(Buffer.from(a), Buffer.from(b)));
    const { spans } = rounds[0]!;
    const size = `${words.toLocaleString('en-US')} words, ${(Buffer.byteLength(a) / 2 ** 20).toFixed(2)} MiB`;
    rows.push({
      ...{ row: `${name}: ${size}`, unit: 'ms', ...spreadOf(rounds.map(({ ms }) => ms)) },
      note: `longest step ${spreadOf(rounds.map(({ longestMs }) => longestMs)).value.toFixed(1)} ms, ${spans} spans`,
    });
  }
}
printRows('differences of two texts: words, windows and what is common', rows);

function textsOf(words: number): (readonly [string, string, string])[] {
  const text = make.text(words);
  const edited = make.changed(text, 0.005).split(' ');
  const moved = edited.splice(edited.length / 4, edited.length / 10);
  edited.splice(edited.length / 2, 0, ...moved);
  const letters = (count: number) => Array.from({ length: count }, () => 'ab'[prng.below(2)]).join(' ');
  const period = text.split(' ').slice(0, 100);
  const cycle = (jump: number) => Array.from({ length: words }, (_, i) => period[(i % jump === 0 ? 3 * i : i) % 100]);
  return [
    ['edited, a tenth of it moved', text, edited.join(' ')],
    ['nothing in common', text, make.text(words)],
    ['one word over and over', 'a '.repeat(words), 'a '.repeat(words * 0.9)],
    ['two words by chance', letters(words), letters(words)],
    ['a hundred words over and over, some changed', cycle(Number.POSITIVE_INFINITY).join(' '), cycle(97).join(' ')],
  ];
}

function round(a: Uint8Array, b: Uint8Array) {
  let longestMs = 0;
  function run<T>(steps: Generator<undefined, T>): T {
    for (;;) {
      const startedAt = cpuMs();
      const { done, value } = steps.next();
      longestMs = Math.max(longestMs, cpuMs() - startedAt);
      if (done === true) return value;
    }
  }
  const startedAt = cpuMs();
  const [wordedA, wordedB] = [run(wordedTextSteps(sketcher, a)), run(wordedTextSteps(sketcher, b))];
  const found = run(compareTextSteps(wordedA, wordedB));
  return { ms: cpuMs() - startedAt, longestMs, spans: found.a.length + found.b.length };
}

/** What this thread has had of a core: of the clock's time others have a part. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
