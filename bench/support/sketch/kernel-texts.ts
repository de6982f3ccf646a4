import { readdirSync, readFileSync } from 'node:fs';
import { randomFrom } from '../texts.ts';

/*
 * Documents to measure kernels on, from texts that every clone has under node_modules: licences and readmes for English,
 * and the translations of one readme for other languages. Of those each document takes lines in a seeded random order,
 * without addresses and markup, so that no document is another's copy.
 */

export const TEXTS = ['english 5 KB', 'english 0.5 KB', 'english 500 KB', 'european', 'intl', 'non-Latin'] as const;
export type TextsName = (typeof TEXTS)[number];

const SEED = 1997;
const BYTES = 4_000_000;
const EUROPEAN = ['fr', 'es', 'pl', 'pt-BR'];
const INTL = ['fr', 'es', 'pl', 'pt-BR', 'ru', 'ja', 'zh-CN'];
const NON_LATIN = ['ru', 'uk', 'ja', 'zh-CN', 'zh-TW', 'kr', 'hi'];

/** Documents of one kind, about 4 MB of them. */
export function textsOf(name: TextsName): Buffer[] {
  if (name === 'english 5 KB') return slices(english(), 5000);
  if (name === 'english 0.5 KB') return slices(english(), 500);
  if (name === 'english 500 KB') return slices(english(), 500_000);
  if (name === 'european') return slices(shuffledLines(EUROPEAN, 0), 5000);
  if (name === 'intl') return slices(shuffledLines(INTL, 0), 5000);
  return slices(shuffledLines(NON_LATIN, 0.55), 5000);
}

/** Share of bytes beyond ASCII. */
function shareBeyondAscii(documents: readonly Uint8Array[]): number {
  let beyond = 0;
  let all = 0;
  for (const document of documents) {
    all += document.length;
    for (const byte of document) if (byte >= 0x80) beyond++;
  }
  return beyond / all;
}

function english(): string {
  return readdirSync(new URL('../../../node_modules/', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|readme)\b[^/]*$/i.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1').replace(/[^\n -~]/g, ''))
    .join('\n');
}

/** Lines of the readmes in these languages that have at least so much beyond ASCII, again and again in random order. */
function shuffledLines(languages: readonly string[], beyondAsciiLeast: number): string {
  const lines = languages.flatMap((language) => readme(language).filter((line) => share(line) >= beyondAsciiLeast));
  const random = randomFrom(SEED);
  const chosen: string[] = [];
  for (let bytes = 0; bytes < BYTES; ) {
    const line = lines[Math.floor(random() * lines.length)]!;
    chosen.push(line);
    bytes += Buffer.byteLength(line) + 1;
  }
  return chosen.join('\n');
}

function readme(language: string): string[] {
  const path = new URL(`../../../node_modules/@biomejs/biome/README.${language}.md`, import.meta.url);
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.replace(/\]\([^)]*\)|<[^>]*>|https?:\S+|^\[.*?\]:.*$/g, ' '))
    .filter((line) => line.trim().length > 40);
}

function share(line: string): number {
  return shareBeyondAscii([Buffer.from(line)]);
}

/** Pieces of so many bytes, or a few less where a character would be cut. */
function slices(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  const found: Buffer[] = [];
  for (let from = 0; from + size <= bytes.length; ) {
    let to = from + size;
    while ((bytes[to]! & 0xc0) === 0x80) to--;
    found.push(bytes.subarray(from, to));
    from = to;
  }
  return found;
}
