import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '../../src/extract/charset/decode.ts';
import { encode } from '../../test/support/extract/encode.ts';

/*
 * How often the charset of a text is guessed rightly: node bench/extract/charsets.ts FOLDER [CHARSET...] [--pages]
 *
 * FOLDER has a folder for each language that is to be measured, by its name below, with texts in UTF-8. Pieces of them are put
 * into a charset and read with nothing said of it. Right means: the same text. Figures are of 200 pieces of each language, if
 * the folder has as many.
 */

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  'windows-1251': ['ru', 'uk', 'bg'],
  ...{ 'koi8-r': ['ru'], 'koi8-u': ['uk'], 'iso-8859-5': ['ru'], ibm866: ['ru'] },
  ...{ gbk: ['zh-CN'], big5: ['zh-TW'], shift_jis: ['ja'], 'euc-jp': ['ja'], 'euc-kr': ['ko'] },
  ...{ 'windows-1256': ['ar'], 'windows-1255': ['he'], 'windows-874': ['th'] },
  ...{ 'windows-1250': ['pl', 'cs', 'hu'], 'iso-8859-2': ['pl', 'cs', 'hu'] },
  ...{ 'windows-1253': ['el'], 'iso-8859-7': ['el'], 'windows-1254': ['tr'] },
  'windows-1252': ['de', 'fr', 'es', 'sv'],
};
/** Of Latin letters few are beyond ASCII. */
const LATIN: ReadonlySet<string> = new Set(['windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1252']);
const SIZES = [200, 5_000];
const PIECES = 200;
/** Of each text so many pieces at the most, from different lines. */
const ROUNDS = 40;

const isPage = process.argv.includes('--pages');
const [folder = '', ...chosen] = process.argv.slice(2).filter((argument) => argument !== '--pages');

function linesOf(language: string): string[][] {
  try {
    const path = join(folder, language);
    return readdirSync(path)
      .sort()
      .map((name) => readFileSync(join(path, name), 'utf8').split('\n'));
  } catch {
    return [];
  }
}

/** A text from one of its lines on, cut at the end of a character; null where it is too short, or nearly all ASCII. */
function pieceOf(lines: readonly string[], from: number, charset: string, size: number): Buffer | null {
  const whole = encode(
    lines
      .slice(from)
      .join('\n')
      .slice(0, 2 * size),
    charset,
  );
  // a character has at most two bytes
  const text = new TextDecoder(charset).decode(whole.subarray(0, size));
  const piece = whole.subarray(0, text.endsWith('\ufffd') ? size - 1 : size);
  const beyond = piece.filter((byte) => byte >= 0x80).length;
  return whole.length < size || beyond < (LATIN.has(charset) ? 3 : size / 8) ? null : piece;
}

function piecesOf(language: string, charset: string, size: number): Buffer[] {
  const texts = linesOf(language);
  const pieces: Buffer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const lines of texts) {
      const piece = pieceOf(lines, (round * 7919) % lines.length, charset, size);
      if (piece !== null) pieces.push(piece);
      if (pieces.length === PIECES) return pieces;
    }
  }
  return pieces;
}

const decoderOf = (charset: string) => new TextDecoder(charset);
const [before, after] = isPage ? ['<!doctype html><title>x</title><p>', '</p>'] : ['', ''];

for (const [charset, languages] of Object.entries(LANGUAGES)) {
  if (chosen.length > 0 && !chosen.includes(charset)) continue;
  const row = [charset.padEnd(12)];
  for (const size of SIZES) {
    let [right, all, ms] = [0, 0, 0];
    const wrong = new Map<string, number>();
    for (const language of languages) {
      for (const piece of piecesOf(language, charset, size)) {
        const bytes = Buffer.concat([Buffer.from(before), piece, Buffer.from(after)]);
        const startedAt = performance.now();
        const { utf8, charset: guessed } = decodeText(bytes, isPage ? 'html' : 'plain', null);
        ms += performance.now() - startedAt;
        all++;
        if (Buffer.from(utf8).toString() === decoderOf(charset).decode(bytes)) right++;
        else wrong.set(`${language} as ${guessed}`, (wrong.get(`${language} as ${guessed}`) ?? 0) + 1);
      }
    }
    const faults = [...wrong].map(([what, count]) => `${what} ${count}`).join(', ');
    row.push(
      `${size} bytes: ${all === 0 ? 'no texts' : (right / all).toFixed(3)} of ${all}, ${(ms / all).toFixed(1)} ms each ${faults}`,
    );
  }
  console.log(row.join(' | '));
}
