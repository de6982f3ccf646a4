import type { ShingleSequence } from '../sketch/sketch.ts';
import type { TextPassage } from './passages.ts';

/*
 * A passage as a link that scrolls a browser to it (URL Fragment Text Directives, WICG).
 *
 *   text       The Quick (brown) fox, as ever, jumps over the dog, and so on, and sleeps where it was.
 *   link       #:~:text=jumps%20over%20the%20dog,sleeps%20where%20it%20was
 *
 * A browser finds what the link names, letter by letter (case apart), only where it begins and ends with a word and lies in
 * one block. So a link names a few words at either end of a passage, of one line and of shared shingles, cut where browsers
 * cut words. Of the match's page no more is known than that it has the same tokens. Its punctuation may be another, so words
 * with nothing but spaces between them come first. Where there are no such words, there is no link.
 */

/** Words at either end of a link, and letters, which matter where words are short: enough to be rare. */
const WORDS = 4;
const LETTERS = 8;
/** No link names fewer. */
const WORDS_LEAST = 3;
/** A passage of no more words is named as a whole. */
const WHOLE_WORDS_MAX = 2 * WORDS;
/** How far into a passage words are looked for, in tokens: of those that overlap a word has several. */
const ZONE_TOKENS = 14;
const ZONE_PAIRS = 32;
/** Words that take more are none that a link should name: of Hindi so many have 600. */
const ZONE_BYTES_MAX = 4_096;
/** Where words are told by a dictionary, so many letters more or less may make others of those beside them. */
const UNSURE_LETTERS = 3;
/** Titles are known by their first 300 characters, with whatever spaces. */
const TITLE_BYTES_MAX = 4_096;
/** What stands around them, for where a word ends may depend on it: what hangs on a word, or a line of a book. */
const AROUND_BYTES = 16;
const AROUND_PAIRS_BYTES = 90;

/**
 * Blocks end where these stand in a text (extract/html/text-writer.ts), and where the source of a page went on with a
 * new line.
 */
const LINE_ENDS = /([\n\r\v\f\u0085\u2028\u2029]+)/u;
const SPACES = /^[ \t]*$/;
/** Whose letters are taken in pairs: core/text/canonicalize.ts. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
/** Two letters with all their marks. */
const PAIR_BYTES_MAX = 64;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Making it takes 7 ms, of each start of a process. */
let segmenter: Intl.Segmenter | undefined;

interface Word {
  readonly spelled: string;
  /** What stands between the word before it and it. */
  readonly gap: string;
  /** Where it stands in the text, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** A part of a text between two points where a browser may see a word begin or end. */
interface Segment extends Omit<Word, 'gap'> {
  readonly isWord: boolean;
}

/** Words of one line, one behind the other. */
type Run = readonly Word[];

/**
 * `#:~:text=first%20words,last%20words`: appended to a match's URL, it scrolls a browser to the passage; null where no words
 * are fit to be named.
 *
 * @param text the very bytes that the sequence was made from
 * @param seenFrom the byte where what a browser looks through begins: behind the title, see {@link titleBytes}
 */
export function textFragment(
  text: Uint8Array,
  sequence: ShingleSequence,
  { firstToken, lastToken, headLast, tailFirst }: TextPassage,
  seenFrom: number,
): string | null {
  const headTokens = isOpen(text, sequence, firstToken) ? ZONE_PAIRS : ZONE_TOKENS;
  const tailTokens = isOpen(text, sequence, lastToken) ? ZONE_PAIRS : ZONE_TOKENS;
  const head = linesOf(text, sequence, firstToken, Math.min(headLast, firstToken + headTokens - 1), seenFrom);
  const tail = linesOf(text, sequence, Math.max(tailFirst, lastToken - tailTokens + 1), lastToken, seenFrom);
  const [whole] = head;
  const isWhole = head.length === 1 && tail.length === 1 && whole?.at(-1)?.end === tail[0]?.at(-1)?.end;
  if (isWhole && whole!.length >= WORDS_LEAST && whole!.length <= WHOLE_WORDS_MAX) return directive([whole!]);
  const start = chosen(head, false);
  const end = chosen(tail, true);
  if (start === null || end === null) return start === null && end === null ? null : directive([(start ?? end)!]);
  return directive(start.at(-1)!.end <= end[0]!.start ? [start, end] : [start]);
}

/** The bytes of a text that are its title: at its beginning, if it has one there. */
export function titleBytes(text: Uint8Array, title: string | null): number {
  if (title === null) return 0;
  const words = title.split(' ').map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const start = decoder.decode(text.subarray(0, TITLE_BYTES_MAX));
  const found = new RegExp(`^\\s*${words.join('\\s+')}.*`, 'u').exec(start);
  return found === null ? 0 : bytesOf(found[0]);
}

/** Whether a token is of a script in which no space says where words begin and end. */
function isOpen(text: Uint8Array, { tokenStarts, tokenEnds }: ShingleSequence, token: number): boolean {
  const [start, end] = [tokenStarts[token]!, tokenEnds[token]!];
  return end - start <= PAIR_BYTES_MAX && WITHOUT_SPACES.test(decoder.decode(text.subarray(start, end)));
}

/** Tokens first … last as whole words, line by line; lines without any are left out. */
function linesOf(text: Uint8Array, sequence: ShingleSequence, first: number, last: number, seenFrom: number): Run[] {
  const start = Math.max(sequence.tokenStarts[first]!, seenFrom);
  const end = sequence.tokenEnds[last]!;
  const openStart = isOpen(text, sequence, first);
  const openEnd = isOpen(text, sequence, last);
  if (end - start > ZONE_BYTES_MAX) return [];
  const around = openStart || openEnd ? AROUND_PAIRS_BYTES : AROUND_BYTES;
  const from = characterAt(text, Math.max(0, start - around));
  const to = characterAt(text, Math.min(text.length, end + around));
  const lines: Run[] = [];
  let at = from;
  for (const line of decoder.decode(text.subarray(from, to)).split(LINE_ENDS)) {
    const lineEnd = at + bytesOf(line);
    if (lineEnd > start && at < end) {
      const inside = segmentsOf(line, at).filter((segment) => segment.start >= start && segment.end <= end);
      lines.push(wordsOf(inside, openStart && at <= start, openEnd && lineEnd >= end));
    }
    at = lineEnd;
  }
  return lines.filter((line) => line.length > 0);
}

/**
 * The words among segments, of which those count that are words too where other text, or none, stands around them.
 *
 * @param openStart whether text may go on before the first without a space; openEnd: behind the last
 */
function wordsOf(inside: readonly Segment[], openStart: boolean, openEnd: boolean): Run {
  const [first] = inside;
  if (first === undefined) return [];
  const text = inside.map(({ spelled }) => spelled).join('');
  const others = openStart || openEnd ? [segmentsOf(text, first.start)] : [];
  for (let cut = 1; cut <= UNSURE_LETTERS && cut < text.length; cut++) {
    if (openStart) others.push(segmentsOf(text.slice(cut), first.start + bytesOf(text.slice(0, cut))));
    if (openEnd) others.push(segmentsOf(text.slice(0, -cut), first.start));
  }
  const known = others.map((segments) => new Set(segments.flatMap(({ start, end }) => [start, end])));
  const isEdge = (edge: number) =>
    others.every((segments, i) => edge <= segments[0]!.start || edge >= segments.at(-1)!.end || known[i]!.has(edge));
  const words: Word[] = [];
  let gap = '';
  let before = 0;
  for (const { isWord, ...segment } of inside) {
    const mayBeCut =
      (openStart && before < UNSURE_LETTERS) ||
      (openEnd && text.length - before - segment.spelled.length < UNSURE_LETTERS);
    before += segment.spelled.length;
    if (isWord && !mayBeCut && isEdge(segment.start) && isEdge(segment.end)) {
      words.push({ ...segment, gap });
      gap = '';
    } else gap += segment.spelled;
  }
  return words;
}

function segmentsOf(text: string, from: number): Segment[] {
  let end = from;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment, isWordLike = false }) => {
    const start = end;
    end += bytesOf(segment);
    return { spelled: segment, isWord: isWordLike, start, end };
  });
}

/** A few words of lines, nearest to their beginning or their end. */
function chosen(lines: readonly Run[], fromEnd: boolean): Run | null {
  const inOrder = <T>(values: readonly T[]) => (fromEnd ? values.toReversed() : values);
  const plain = inOrder(lines.flatMap(plainRuns));
  const run = plain.find(({ length }) => length >= WORDS) ?? longest(plain) ?? longest(inOrder(lines));
  if (run === null) return null;
  let count = Math.min(WORDS, run.length);
  const few = () => (fromEnd ? run.slice(-count) : run.slice(0, count));
  while (count < run.length && few().reduce((sum, { spelled }) => sum + spelled.length, 0) < LETTERS) count++;
  return few();
}

function longest(runs: readonly Run[]): Run | null {
  const most = runs.reduce<Run>((best, run) => (run.length > best.length ? run : best), []);
  return most.length < WORDS_LEAST ? null : most;
}

/** Runs of words with nothing but spaces between them. */
function plainRuns(line: Run): Run[] {
  const runs: Word[][] = [];
  for (const [i, word] of line.entries()) {
    if (i > 0 && SPACES.test(word.gap)) runs.at(-1)!.push(word);
    else runs.push([word]);
  }
  return runs;
}

/** Percent-encoded for a text directive, where `-`, `,` and `&` are syntax; white space of any kind is one space. */
function directive(runs: readonly Run[]): string {
  const terms = runs.map((run) => {
    const spelled = run.map((word, i) => (i === 0 ? '' : word.gap) + word.spelled).join('');
    return encodeURIComponent(spelled.replaceAll(/\s+/gu, ' ')).replaceAll('-', '%2D');
  });
  return `#:~:text=${terms.join(',')}`;
}

/** The first offset from `at` on where a character of UTF-8 begins. */
function characterAt(text: Uint8Array, at: number): number {
  let edge = at;
  while (edge < text.length && (text[edge]! & 0xc0) === 0x80) edge++;
  return edge;
}

/** Of UTF-8; a half of a pair is U+FFFD. To encode a word for its length takes ten times as long. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const isPair = (unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    bytes += unit < 0x800 ? 1 : 2;
    // four bytes for two units
    if (isPair) i++;
  }
  return bytes;
}
