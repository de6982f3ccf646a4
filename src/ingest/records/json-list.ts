import { Buffer } from 'node:buffer';
import type { MappedRecord, RecordMap } from '../fields/record-map.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, SourceReader, UnpackedChunk } from '../port.ts';
import { FOUND, Spans } from '../traced.ts';
import { type JsonRecord, JsonRecords } from './json-lines.ts';
import { type FoundObject, type ObjectFault, ObjectLists } from './object-lists.ts';
import { inRuns } from './runs.ts';
import { Spots } from './spots.ts';

type ListLimits = Pick<IngestLimits, 'recordBytesMax' | 'jsonDepthMax' | 'jsonValuesMax'>;

/**
 * A JSON file of any size: the objects of its lists are records, whatever is around them. A file that is one object without a
 * list of objects is one record, if it is no longer than one may be.
 */
export function jsonListReader(map: RecordMap, limits: ListLimits): SourceReader {
  return async function* items(bytes, from) {
    const records = new JsonRecords(limits);
    const reading = {
      objectBytesMax: limits.recordBytesMax,
      depthMax: limits.jsonDepthMax,
      read: (record: Buffer) => {
        const value = records.of(record);
        return { value, isBroken: 'refused' in value && value.refused === 'malformed' };
      },
    };
    const spots = new Spots(bytes, from);
    const spans = new Spans(bytes);
    const isTraced = bytes.isTraced === true;
    const isFromStart = (from?.byte ?? 0) === 0;
    const lists = new ObjectLists<JsonRecord>(reading, !isFromStart);
    const whole = new Beginning(isFromStart ? limits.recordBytesMax : 0);
    let behind = from?.byte ?? 0;

    const itemOf = ({ start, next, length, found }: FoundObject<JsonRecord>): IngestItem | null => {
      if (!(next === null ? spots.passHere() : spots.pass(next))) return null;
      const place = { file: bytes.file, record: spots.record };
      // what is no JSON, or may be none, would spoil a list that it is put into
      const isLost = typeof found === 'string' || 'refused' in found;
      const span = spans.of(start, isLost ? (next ?? start + length) : start + length, isLost);
      const refused = typeof found === 'string' ? refusalOf(found, length, limits) : null;
      const made = refused ?? (isTraced ? FOUND : mapped(found as JsonRecord, map, place));
      const at = `record ${spots.record}${spots.isPacked ? '' : ` at byte ${bytes.placeOf?.(start) ?? start}`}`;
      return { at, next: spots.next(), bytes: length, span, ...made };
    };

    function* itemsIn(chunk: UnpackedChunk): Generator<IngestItem, void, undefined> {
      if (chunk.damage !== null) {
        for (const found of lists.giveUp()) yield* told(itemOf(found));
        const damage = spots.damage(chunk, `behind record ${spots.record}`);
        if (damage !== null) yield { ...damage, span: spans.to(behind, true) };
      }
      spots.enter(chunk, lists.isBetween);
      if (!spots.isPacked) behind = chunk.byte;
      for (const found of lists.push(chunk.bytes, behind)) yield* told(itemOf(found));
      if (!lists.hasBegun) whole.add(chunk.bytes);
      behind += chunk.bytes.length;
    }

    function* lastItems(): Generator<IngestItem, void, undefined> {
      for (const found of lists.end(behind)) yield* told(itemOf(found));
    }

    for await (const chunk of bytes.chunks) yield* inRuns(itemsIn(chunk));
    yield* inRuns(lastItems());
    if (lists.hasBegun || whole.length === 0 || !spots.passHere()) return;
    const record = wholeRecord(whole.take(), limits);
    const isLost = 'refused' in record;
    const made = !isLost && isTraced ? FOUND : mapped(record, map, { file: bytes.file, record: 1 });
    const span = spans.of(0, whole.length, isLost);
    yield [{ at: 'record 1', next: spots.next(), bytes: whole.length, span, ...made }];
  };
}

function* told(item: IngestItem | null): Generator<IngestItem, void, undefined> {
  if (item !== null) yield item;
}

function mapped(
  found: JsonRecord,
  map: RecordMap,
  place: { readonly file: string; readonly record: number },
): MappedRecord {
  return 'refused' in found ? found : map.map(found.value, place);
}

function refusalOf(fault: ObjectFault, length: number, { recordBytesMax }: ListLimits): MappedRecord {
  const details: Readonly<Record<ObjectFault, string>> = {
    'no-object': 'The record is no object.',
    broken: 'It is no JSON, or nested too deeply; reading went on at what looks like the next record.',
    'too-large': `The record has more than ${recordBytesMax} bytes (INGEST_RECORD_BYTES_MAX).`,
    cut: length === 0 ? 'The list has no end: the file was cut.' : 'The file ends in the record.',
  };
  return { refused: fault === 'too-large' ? 'too-large' : 'malformed', detail: details[fault], url: null };
}

function wholeRecord(bytes: Buffer | null, limits: ListLimits): JsonRecord {
  const detail = 'There is no list of objects in the file.';
  if (bytes === null) return { refused: 'malformed', detail, url: null };
  const record = new JsonRecords(limits).of(bytes);
  return 'refused' in record ? { ...record, detail: `${detail} It is no record either: ${record.detail}` } : record;
}

/** The bytes of a file from its beginning, as long as they are few enough. */
class Beginning {
  length = 0;
  readonly #bytesMax: number;
  #pieces: Buffer[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    if (this.length <= this.#bytesMax) this.#pieces.push(Buffer.from(bytes));
    else this.#pieces = [];
  }

  /** null where they are too many. */
  take(): Buffer | null {
    return this.length > this.#bytesMax ? null : Buffer.concat(this.#pieces);
  }
}
