/*
 * How often the charset of bytes that declare none is guessed right: pieces of texts, encoded in a charset that their language
 * was written in, then decoded again. Right is the same text as before.
 *
 *     npm run accuracy:charset -- FOLDER [CHARSET...] [--pages] [--json]
 *
 * FOLDER has folders of the names of languages, at any depth. In them lie texts in UTF-8, or the files of translations (.po) that
 * are part of many programs, such as Django's unpacked wheel.
 */
import { Buffer } from 'node:buffer';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '../../src/extract/charset/decode.ts';
import { encode } from '../../test/support/extract/encode.ts';
import { createPrng } from '../../test/support/prng.ts';
import { printRows, type Row } from '../support/table.ts';

/** The languages that were written in each charset; those that a corpus does not have are left out. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ 'windows-1251': 'ru uk bg sr be', 'koi8-r': 'ru', 'koi8-u': 'uk', 'iso-8859-5': 'ru', ibm866: 'ru' },
  ...{ gbk: 'zh-CN zh_Hans', big5: 'zh-TW zh_Hant', shift_jis: 'ja', 'euc-jp': 'ja', 'euc-kr': 'ko' },
  ...{ 'windows-1256': 'ar fa', 'windows-1255': 'he', 'windows-874': 'th' },
  ...{ 'windows-1250': 'pl cs hu sk sl hr', 'iso-8859-2': 'pl cs hu sk sl hr' },
  ...{ 'windows-1253': 'el', 'iso-8859-7': 'el', 'windows-1254': 'tr', 'windows-1257': 'lt lv et' },
  'windows-1252': 'de fr es sv it pt pt_BR nl da fi nb is ca ga',
};
/** Of Latin letters few are beyond ASCII. */
const LATIN = /^(?:windows-125[0247]|iso-8859-2)$/;
const SIZES = [200, 5000];
const TEXTS = 200;
/** Tries for each text: some pieces are too short, or nearly all ASCII. */
const TRIES = 20;

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const [folder = '.', ...chosen] = named;
const isPage = process.argv.includes('--pages');
const prng = createPrng(34);
const rows: Row[] = [];
for (const [charset, languages] of Object.entries(LANGUAGES)) {
  if (chosen.length > 0 && !chosen.includes(charset)) continue;
  const corpora = languages
    .split(' ')
    .map((language) => ({ language, texts: textsOf(language) }))
    .filter(({ texts }) => texts.length > 0);
  if (corpora.length === 0) console.error(`${folder} has no texts in ${languages}: ${charset} is left out`);
  else for (const size of SIZES) rows.push(...measure(charset, size, corpora));
}
printRows(`Charsets guessed right, ${TEXTS} texts each`, rows);

interface Corpus {
  readonly language: string;
  readonly texts: readonly (readonly string[])[];
}

/** None where no text is as long. */
function measure(charset: string, size: number, corpora: readonly Corpus[]): Row[] {
  const decoder = new TextDecoder(charset);
  const mistakes = new Map<string, number>();
  let [right, all, ms] = [0, 0, 0];
  for (let i = 0; i < TEXTS; i++) {
    const { language, texts } = corpora[i % corpora.length]!;
    const piece = pieceOf(texts, charset, size);
    if (piece === null) continue;
    const bytes = isPage
      ? Buffer.from(`<!doctype html><title>x</title><p>${piece.toString('latin1')}</p>`, 'latin1')
      : piece;
    const startedAt = performance.now();
    const decoded = decodeText(bytes, isPage ? 'html' : 'plain', null);
    ms += performance.now() - startedAt;
    all++;
    if (Buffer.from(decoded.utf8).toString() === decoder.decode(bytes)) right++;
    else {
      const mistake = `${language} as ${decoded.charset}`;
      mistakes.set(mistake, (mistakes.get(mistake) ?? 0) + 1);
    }
  }
  if (all === 0) return [];
  const worst = [...mistakes].sort(([, a], [, b]) => b - a).slice(0, 3);
  const note = [`${all} texts, ${(ms / all).toFixed(2)} ms each`, ...worst.map(([what, times]) => `${times} ${what}`)];
  return [
    { row: `${charset}, ${size} B`, value: right / all, unit: 'right', target: '>= 0.97', note: note.join(', ') },
  ];
}

/** Lines of the files of a language. */
function textsOf(language: string): string[][] {
  return globSync(join(folder, '**', language, '**', '*.{txt,po}'))
    .sort()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return file.endsWith('.po') ? [...messagesIn(text)] : text.split('\n');
    })
    .filter((lines) => lines.length > 0);
}

function* messagesIn(po: string): Generator<string> {
  for (const [, quoted] of po.matchAll(/^msgstr(?:\[\d\])? ("(?:.*"\n")*.*")$/gm)) {
    const message = quoted!
      .replaceAll(/"\n"/g, '')
      .slice(1, -1)
      .replaceAll(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c));
    if (message !== '' && !message.startsWith('Project-Id-Version')) yield message;
  }
}

/** A text from one of its lines on, cut at the end of a character; null where none is long enough, or all are nearly ASCII. */
function pieceOf(texts: readonly (readonly string[])[], charset: string, size: number): Buffer | null {
  for (let round = 0; round < TRIES; round++) {
    const lines = texts[prng.below(texts.length)]!;
    const from = prng.below(lines.length);
    const whole = encode([...lines.slice(from), ...lines.slice(0, from)].join('\n').slice(0, 2 * size), charset);
    // a character has at most two bytes
    const text = new TextDecoder(charset).decode(whole.subarray(0, size));
    const piece = whole.subarray(0, text.endsWith('\ufffd') ? size - 1 : size);
    const beyond = piece.filter((byte) => byte >= 0x80).length;
    if (whole.length >= size && beyond >= (LATIN.test(charset) ? 4 : size / 8)) return piece;
  }
  return null;
}
