import { Buffer } from 'node:buffer';
import type { RecordBytes } from './record-bytes.ts';
import { digestProblem } from './record-digests.ts';
import { HEAD_BYTES_MAX, nextRecord, type RecordForm, type RecordHead, targetOf } from './record-head.ts';

/*
 * The records of an archive, and what is between them that is none.
 *
 *   head │ block of Content-Length bytes │ CRLF CRLF │ head │ block …
 *
 * A record is sound where it ends as one does: at an empty line, or at the end of the file or a member. Where it does not, its
 * length or its block is damaged, and the next record is searched behind its head: a length that is too large hides none. The
 * empty line may be that behind the head of the next record, by chance. So where a digest is another too, a record must follow:
 * only then the damage is in the block alone, and what looks like a record in it is none.
 */

/** Twice the largest document that the index takes where it is not told otherwise. */
export const BLOCK_BYTES_MAX = 16 * 2 ** 20;

const NOTHING = Buffer.alloc(0);
const LF = 0x0a;
const CR = 0x0d;
/** Behind a block. */
const LINE_ENDS_MAX = 2;

export type Found =
  | { readonly is: 'record'; readonly head: RecordHead; readonly block: Buffer; readonly bytes: number }
  | { readonly is: 'too-large'; readonly head: RecordHead; readonly bytes: number }
  | { readonly is: 'damaged'; readonly detail: string; readonly url: string | null; readonly bytes: number };

type Damaged = Extract<Found, { is: 'damaged' }>;

/**
 * Each record in its order. What was damaged without a sound record in between is told once. When something is given, the
 * bytes have gone behind it.
 */
export async function* readRecords(form: RecordForm, bytes: RecordBytes): AsyncGenerator<Found, void, undefined> {
  let damage: Damaged | null = null;
  for (;;) {
    const from = bytes.passed;
    await passEmptyLines(bytes);
    if (!(await bytes.have(1))) {
      const gap = bytes.cross();
      if (gap === null) break;
      damage = joined(damage, { detail: gap.damage, url: null, bytes: 0 });
      continue;
    }
    const head = await readHead(form, bytes);
    if (typeof head === 'string') {
      await passRubbish(form, bytes, 1);
      damage = joined(damage, { detail: head, url: null, bytes: bytes.passed - from });
      continue;
    }
    if (damage !== null) yield damage;
    damage = null;
    const found = await readOne(form, bytes, head);
    if (found.is === 'damaged' && (bytes.gapAhead !== null || !found.isOver)) damage = found;
    else yield found;
  }
  if (damage !== null) yield damage;
}

/** @returns of what is damaged whether what follows is known to be something else */
async function readOne(
  form: RecordForm,
  bytes: RecordBytes,
  head: RecordHead,
): Promise<Exclude<Found, Damaged> | (Damaged & { readonly isOver: boolean })> {
  const from = bytes.passed;
  const url = targetOf(head);
  const damaged = (detail: string, isOver: boolean) =>
    ({ is: 'damaged', detail, url, bytes: bytes.passed - from, isOver }) as const;
  if (head.length > BLOCK_BYTES_MAX) {
    bytes.pass(head.bytes);
    await passBlock(form, bytes, head.length);
    const length = bytes.passed - from;
    await passEmptyLines(bytes);
    return { is: 'too-large', head, bytes: length };
  }
  const end = head.bytes + head.length;
  const isWhole = await bytes.have(end);
  const lines = isWhole ? await linesAfter(form, bytes, end) : null;
  const searchedBehind = async (detail: string) => {
    bytes.pass(head.bytes);
    await passRubbish(form, bytes, 0);
    const isTitle = form.isTitle(head) && bytes.ahead.length > 0;
    return isTitle
      ? ({ is: 'record', head, block: NOTHING, bytes: bytes.passed - from } as const)
      : damaged(detail, false);
  };
  if (lines === null) {
    const there = bytes.ahead.length - head.bytes;
    return searchedBehind(isWhole ? 'the record does not end where it says' : `the record is cut after ${there} bytes`);
  }
  const { isProven } = bytes;
  const block = bytes.ahead.subarray(head.bytes, end);
  const problem = isProven ? null : digestProblem(head.fields, block);
  if (problem !== null && !(await isFollowed(form, bytes, end + lines))) return searchedBehind(problem);
  bytes.pass(end + lines);
  passLineEnds(bytes);
  if (bytes.ahead.length === 0) await bytes.more();
  if (isProven) return { is: 'record', head, block, bytes: end };
  const isTorn = bytes.ahead.length === 0 && bytes.gapAhead?.isTorn === true;
  if (isTorn) return damaged('the record is of a damaged member', false);
  return problem === null ? { is: 'record', head, block, bytes: end } : damaged(problem, true);
}

/** @returns what is wrong, where no head can be read */
async function readHead(form: RecordForm, bytes: RecordBytes): Promise<RecordHead | string> {
  for (;;) {
    const { ahead } = bytes;
    if (form.begins(ahead) === false) return 'there is something that is no record';
    const end = form.headEnd(ahead);
    if (end !== null) return form.parse(ahead.subarray(0, end));
    if (ahead.length >= HEAD_BYTES_MAX) return `the head of a record is longer than ${HEAD_BYTES_MAX} bytes`;
    if (!(await bytes.more())) return 'the head of a record is cut';
  }
}

/** @returns bytes of the line ends after a block, null where the record cannot have ended there */
async function linesAfter(form: RecordForm, bytes: RecordBytes, end: number): Promise<number | null> {
  for (;;) {
    const { ahead } = bytes;
    let behind = end;
    let lineEnds = 0;
    for (; lineEnds < LINE_ENDS_MAX; lineEnds++) {
      const lf = ahead[behind] === CR ? behind + 1 : behind;
      if (ahead[lf] !== LF) break;
      behind = lf + 1;
    }
    const length = behind - end;
    if (lineEnds >= form.lineEnds || bytes.isBorder(behind)) return length;
    const rest = ahead.subarray(behind);
    const begins = rest.length === 0 || rest[0] === CR ? null : form.begins(rest);
    if (begins !== null) return begins ? length : null;
    if (!(await bytes.more())) return length;
  }
}

/** Whether a record begins behind so many bytes and the lines after them, or there is nothing. */
async function isFollowed(form: RecordForm, bytes: RecordBytes, end: number): Promise<boolean> {
  for (;;) {
    let at = end;
    const { ahead } = bytes;
    while (ahead[at] === LF || ahead[at] === CR) at++;
    if (bytes.isBorder(at)) return true;
    const begins = at < ahead.length ? form.begins(ahead.subarray(at)) : null;
    if (begins !== null) return begins;
    if (!(await bytes.more())) return true;
  }
}

async function passEmptyLines(bytes: RecordBytes): Promise<void> {
  do passLineEnds(bytes);
  while (bytes.ahead.length === 0 && (await bytes.more()));
}

function passLineEnds(bytes: RecordBytes): void {
  const { ahead } = bytes;
  let count = 0;
  while (ahead[count] === LF || ahead[count] === CR) count++;
  bytes.pass(count);
}

/** Goes to the next record, or to the end of the stretch. */
async function passRubbish(form: RecordForm, bytes: RecordBytes, from: number): Promise<void> {
  for (let least = from; ; least = 0) {
    const { at, found } = nextRecord(form, bytes.ahead, least, false);
    bytes.pass(at);
    if (found) return;
    if (await bytes.more()) continue;
    bytes.pass(nextRecord(form, bytes.ahead, 0, true).at);
    return;
  }
}

/** Goes behind a block that is not taken into memory, or to a record that begins in it: its length was too large then. */
async function passBlock(form: RecordForm, bytes: RecordBytes, length: number): Promise<void> {
  for (let left = length; left > 0; ) {
    const { at, found } = nextRecord(form, bytes.ahead.subarray(0, left), 0, bytes.ahead.length >= left);
    bytes.pass(at);
    left -= at;
    if (found || (left > 0 && !(await bytes.more()))) return;
  }
}

function joined(before: Damaged | null, { detail, url, bytes }: Omit<Damaged, 'is'>): Damaged {
  if (before === null) return { is: 'damaged', detail, url, bytes };
  return { is: 'damaged', detail: `${before.detail}; ${detail}`, url: before.url ?? url, bytes: before.bytes + bytes };
}
