import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { type OpenParts, readAs } from '../open-inputs.ts';
import type { IngestItem, UnpackedChunk } from '../port.ts';
import { dialectOf, toldDelimiter } from '../records/tables/dialect.ts';
import { RowFields } from '../records/tables/row-fields.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { type JsonArray, JsonCopier } from './copiers/copy-json.ts';
import { type CopyParts, LineCopier } from './copiers/copy-lines.ts';
import { WarcCopier } from './copiers/copy-warc.ts';
import { Spill } from './copiers/spill.ts';
import { Tape } from './copiers/tape.ts';
import { GatheredOutput } from './outputs/gathered-output.ts';
import { PackedOutput, type PackingName } from './outputs/packed-output.ts';
import type { Copier, Output, ReadBytes, Rewritten, WriteBytes } from './port.ts';
import type { Source } from './sources-of.ts';
import { changed, unreadable } from './unchanged.ts';

/*
 * The records of one file, read a second time by the reader of ingest, which tells of each where it lies:
 *
 *   file ── unpacked ──► tape ──► reader ──► items with their spans ──► copier: kept? ──► output
 *                         └──────────────── bytes of the span ─────────────┘
 */

export type RecordSource = Extract<Source, { is: 'records' }>;

export interface CopyContext extends Pick<CopyParts, 'keeps' | 'done' | 'isJoined' | 'isFirst'> {
  readonly parts: OpenParts;
  readonly output: Output;
  /** Of JSON files. */
  readonly array: JsonArray;
  /** Where a record waits that is too large for memory. */
  readonly spillFolder: string;
  /** Called now and then with the place in the file; throws where copying is to end. */
  readonly turn: (byte: number) => void;
}

export function outputOf(write: WriteBytes, source: RecordSource, packing: PackingName | null): Output {
  return packing === null ? new GatheredOutput(write) : new PackedOutput(write, packing, isArchive(source));
}

const isArchive = ({ detected }: RecordSource) => detected.format === 'warc' || detected.format === 'arc';

/** @returns the number of the last record. @throws ShingledError `input-unreadable`, `input-changed`; what the output throws */
export async function copyRecords(source: RecordSource, context: CopyContext): Promise<number> {
  const { output } = context;
  const spill = new Spill(context.spillFolder);
  const tape = new Tape(spill);
  const members = membersOf(source, output);
  const copier = copierOf(source, { ...context, tape }, context.array, members);
  let last = 0;
  try {
    for await (const items of tracedItems(source, context.parts, tape)) {
      context.turn(tape.byte);
      for (const item of items) {
        last = item.next.record;
        const isDamaged = 'refused' in item && item.refused === 'damaged';
        const waiting = copier.take(item.span!, last, isDamaged);
        if (waiting !== null) await waiting;
      }
      if (output.isFull) await output.settle();
    }
    await copier.end();
    // what it reads of the file is read now
    if (members !== null) await members.output.drain();
    return last;
  } finally {
    await Promise.all([spill.close(), members?.close()]);
  }
}

/** The items of a file, whose bytes a tape holds. */
async function* tracedItems(
  { input, detected }: RecordSource,
  parts: OpenParts,
  tape: Tape,
): AsyncGenerator<readonly IngestItem[], void, undefined> {
  const { name, mtimeMs } = input;
  const chunks = tape.through(readable(name, openBytes(name).chunks));
  yield* readAs(detected, { file: name, chunks, isTraced: true }, { parts, mtimeMs, from: null });
}

async function* readable(name: string, chunks: AsyncIterable<UnpackedChunk>): AsyncGenerator<UnpackedChunk> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function copierOf(source: RecordSource, parts: CopyParts, array: JsonArray, members: Members | null): Copier {
  switch (source.detected.format) {
    case 'json':
      return new JsonCopier(parts, array);
    case 'warc':
    case 'arc':
      return new WarcCopier({ ...parts, members, format: source.detected.format });
    default:
      return new LineCopier(parts, source.detected.format === 'csv');
  }
}

interface Members {
  readonly output: PackedOutput;
  readonly read: ReadBytes;
  readonly close: () => Promise<void>;
}

/** The members of an archive, where they may be copied as they lie there. */
function membersOf(source: RecordSource, output: Output): Members | null {
  const { name, isSelfContained } = source.packing;
  if (!isArchive(source) || !isSelfContained || !(output instanceof PackedOutput) || output.packing !== name)
    return null;
  const path = source.input.name;
  const opening = open(path);
  opening.catch(() => null);
  return {
    output,
    read: async (into, from) => {
      const file = await opening;
      const { bytesRead } = await file.read(into, 0, into.length, from);
      if (bytesRead === 0) throw changed(path);
      return bytesRead;
    },
    close: async () => (await opening).close(),
  };
}

/**
 * What tables have in common that become one: the row that names the columns, else how many there are, and whether CR alone
 * ends lines. Empty if nothing is in the table.
 */
export async function tableHead(source: RecordSource, parts: OpenParts): Promise<string> {
  const { detected } = source;
  if (detected.format !== 'csv') return '';
  const dialect = dialectOf(detected.signs, parts.fields.table ?? {});
  const written: string[] = [];
  const output = new GatheredOutput(async (bytes) => {
    written.push(new TextDecoder().decode(bytes));
  });
  const tape = new Tape(null);
  const how = { keeps: () => !dialect.hasHead, done: nothingDone(), isJoined: false, isFirst: true };
  const copier = new LineCopier({ tape, output, ...how }, true);
  let hasRecord = false;
  for await (const items of tracedItems(source, parts, tape)) {
    for (const { span, next } of items) {
      if (hasRecord) break;
      await copier.take(span!, next.record);
      hasRecord = span?.isLost === false;
    }
    if (hasRecord) break;
  }
  if (!hasRecord) await copier.end();
  await output.end();
  const isCrEnd = /^[^\n]*\r(?!\n)/.test(written.join(''));
  const lines = written
    .join('')
    .trim()
    .split(/(?<=\n|\r(?!\n))/);
  // comments and the line by which Excel is told the delimiter stand before it
  while (lines.length > 1 && (/^(?:#|\s*$)/.test(lines[0]!) || toldDelimiter(lines[0]!) !== null)) lines.shift();
  const head = lines.join('');
  if (head === '') return '';
  const columns = dialect.hasHead ? head : new RowFields(dialect).of([Buffer.from(head)], isCrEnd)[0]!.length;
  return `${isCrEnd ? 'CR ' : ''}${columns}`;
}

export const nothingDone = (): Rewritten => ({
  ...{ records: 0, copied: 0, leftOut: 0, lost: 0, bytes: 0 },
  lastRecords: [],
});
