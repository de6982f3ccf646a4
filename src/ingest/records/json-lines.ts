import { Buffer, isUtf8 } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { jsonFault, parseJson } from '../../json/json.ts';
import type { MappedRecord, RecordMap } from '../fields/record-map.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, ItemRuns, OpenedBytes, Position, SourceReader, UnpackedChunk } from '../port.ts';
import { FOUND, Spans } from '../traced.ts';
import { LineSplitter, type SplitLine } from './line-splitter.ts';
import { inRuns } from './runs.ts';
import { Spots } from './spots.ts';

type LineLimits = Pick<IngestLimits, 'recordBytesMax' | 'jsonDepthMax' | 'jsonValuesMax'>;

/** What a reader makes of a line; null: nothing. `line` counts from 1. */
export type LineReading = (bytes: Buffer, line: number) => MappedRecord | Told | null;
type Told = { readonly wanted: string; readonly lastModified: number | null };

/** NDJSON: a record a line. Blank lines are passed over. A line that is no JSON is refused alone. */
export function jsonLinesReader(map: RecordMap, limits: LineLimits): SourceReader {
  return (bytes, from) => {
    const records = new JsonRecords(limits);
    const read = (line: Buffer, number: number) => {
      if (bytes.isTraced === true) return FOUND;
      const record = records.of(line);
      return 'refused' in record ? record : map.map(record.value, { file: bytes.file, record: number });
    };
    return readLineItems(bytes, from, limits.recordBytesMax, read);
  };
}

/** The value of a record, or why it has none. */
export type JsonRecord =
  | { readonly value: unknown }
  | { readonly refused: 'malformed' | 'too-large'; readonly detail: string; readonly url: null };

/** To parse what is longer takes longer than an exception. */
const LOOKED_BYTES_MAX = 2 ** 16;

/** Records as JSON, one after the other. */
export class JsonRecords {
  readonly #limits: Pick<IngestLimits, 'jsonDepthMax' | 'jsonValuesMax'>;
  /** Behind one that is broken, the next is looked at before it is parsed: an exception takes as long as many records. */
  #isBehindFault = false;

  constructor(limits: Pick<IngestLimits, 'jsonDepthMax' | 'jsonValuesMax'>) {
    this.#limits = limits;
  }

  of(bytes: Uint8Array): JsonRecord {
    const isLooked = this.#isBehindFault && bytes.length <= LOOKED_BYTES_MAX && isUtf8(bytes);
    const fault = isLooked ? jsonFault(Buffer.from(bytes).toString()) : null;
    const record = fault === null ? this.#parsed(bytes) : refused('malformed', fault);
    this.#isBehindFault = 'refused' in record && record.refused === 'malformed';
    return record;
  }

  #parsed(bytes: Uint8Array): JsonRecord {
    try {
      return { value: parseJson(bytes, this.#limits) };
    } catch (error) {
      if (!(error instanceof ShingledError)) throw error;
      return refused(error.limit === undefined ? 'malformed' : 'too-large', error.message);
    }
  }
}

const refused = (reason: 'malformed' | 'too-large', detail: string) => ({ refused: reason, detail, url: null });

/** The lines of a file that are not blank, each as `read` takes it; positions count blank ones too. */
export async function* readLineItems(
  bytes: OpenedBytes,
  from: Position | null,
  lineBytesMax: number,
  read: LineReading,
): ItemRuns {
  const spots = new Spots(bytes, from);
  const spans = new Spans(bytes);
  const lines = new LineSplitter(lineBytesMax, (from?.byte ?? 0) === 0);
  let behind = from?.byte ?? 0;

  const itemOf = (line: SplitLine, end: number): IngestItem | null => {
    const span = spans.to(end);
    if (!spots.pass(end)) return null;
    const { bytes: whole, length } = line;
    const number = spots.record;
    const isTooLong = whole.length === 0 && length > lineBytesMax;
    if (!isTooLong && isBlank(whole)) return null;
    const made = isTooLong ? tooLong(length, lineBytesMax) : read(whole, number);
    return made === null ? null : { at: `line ${number}`, next: spots.next(), bytes: length, span, ...made };
  };

  function* itemsIn(chunk: UnpackedChunk): Generator<IngestItem, void, undefined> {
    if (chunk.damage !== null) {
      const line = lines.giveUp();
      const item = line === null ? null : itemOf(line, behind);
      if (item !== null) yield item;
      const span = spans.to(behind, true);
      const damage = spots.damage(chunk, `line ${spots.record + 1}`);
      if (damage !== null) yield { ...damage, span };
    }
    spots.enter(chunk, lines.isClean);
    if (!spots.isPacked) behind = chunk.byte;
    for (const line of lines.split(chunk.bytes)) {
      const item = itemOf(line, behind + line.end);
      if (item !== null) yield item;
    }
    behind += chunk.bytes.length;
  }

  for await (const chunk of bytes.chunks) yield* inRuns(itemsIn(chunk));
  const line = lines.last();
  const item = line === null ? null : itemOf(line, behind);
  if (item !== null) yield [item];
}

function tooLong(length: number, lineBytesMax: number): MappedRecord {
  const detail = `The line has ${length} bytes; at most ${lineBytesMax} are taken (INGEST_RECORD_BYTES_MAX).`;
  return { refused: 'too-large', detail, url: null };
}

/** A longer line is none that is blank. */
const BLANK_BYTES_MAX = 64;

function isBlank(bytes: Buffer): boolean {
  if (bytes.length > BLANK_BYTES_MAX) return false;
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
