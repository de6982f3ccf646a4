import type { Content } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { openCompared, openComparedSteps } from '../format/content-values.ts';
import { contentKey } from '../format/keys.ts';
import { inSteps, nextTurn } from '../next-turn.ts';

/*
 * Records that were read together with many others: of a family of near-copies, of pages with much in common, of a list of
 * results. Whatever resembles one of them meets the same ones again, and results that many ask for are in many lists.
 * Reading them is most of what such a query takes, and a third of a list.
 *
 *   recent │ kept or met lately   ── full ──►   older │ what nobody meets until recent is full again is let go
 *
 * A content never changes under its number but for its owner, which whoever asks for holders looks at again
 * (found-holders.ts); and no list names one that was forgotten.
 */

/** Records that are read and decoded at a time, before others get the event loop. More than these are many. */
const RECORDS_A_PART = 64;

/** Of a record beside its values: its digests, its owner, the objects. */
const RECORD_BYTES = 600;

export class FamilyRecords {
  private readonly bytesMax: number;
  private recent = new Map<number, Content>();
  private older = new Map<number, Content>();
  private recentBytes = 0;
  private olderBytes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.recentBytes + this.olderBytes;
  }

  get(content: number): Content | undefined {
    const recent = this.recent.get(content);
    if (recent !== undefined) return recent;
    const older = this.older.get(content);
    if (older !== undefined) this.keep(content, older);
    return older;
  }

  /** @param record whose sample has memory of its own */
  keep(content: number, record: Content): void {
    if (this.recentBytes >= this.bytesMax / 2) {
      this.older = this.recent;
      this.olderBytes = this.recentBytes;
      this.recent = new Map();
      this.recentBytes = 0;
    }
    // two queries may have read it at once
    if (!this.recent.has(content)) this.recentBytes += RECORD_BYTES + record.sample.values.byteLength;
    this.recent.set(content, record);
  }
}

/** Bytes of records that are decoded before others get the event loop: those of large documents have a megabyte each. */
export const DECODED_BYTES_MAX = 2 ** 18;

/**
 * Records in the order of the numbers, as far as they are compared: undefined where there is none, null where it cannot be
 * read. Of many, those that are met again are from `families`, and the others are kept there.
 */
export async function readRecords(
  level: LevelDatabase,
  snapshot: Snapshot | undefined,
  numbers: readonly number[],
  families: FamilyRecords,
): Promise<(Content | null | undefined)[]> {
  const records = numbers.map((number): Content | null | undefined => families.get(number));
  const absent = [...records.keys()].filter((at) => records[at] === undefined);
  const areMany = numbers.length > RECORDS_A_PART;
  // some are decoded while others are read
  const parts = Array.from({ length: Math.ceil(absent.length / RECORDS_A_PART) }, (_, i) => {
    const positions = absent.slice(i * RECORDS_A_PART, (i + 1) * RECORDS_A_PART);
    const keys = positions.map((at) => contentKey(numbers[at]!));
    const values = level.rows.getEach(keys, snapshot);
    // that it failed is met where it is awaited
    values.catch(() => undefined);
    return { positions, keys, values };
  });
  for (const { positions, keys, values } of parts) {
    let bytes = 0;
    for (const [i, value] of (await values).entries()) {
      if (value === undefined) continue;
      const at = positions[i]!;
      records[at] = null;
      if (value === null) continue;
      bytes += value.length;
      const isMuch = bytes > DECODED_BYTES_MAX;
      if (isMuch) bytes = value.length;
      try {
        const record = isMuch ? await openLater(keys[i]!, value, areMany) : openCompared(keys[i]!, value, areMany);
        if (areMany) families.keep(numbers[at]!, record);
        records[at] = record;
      } catch {
        // it cannot be read, which is counted
      }
    }
  }
  return records;
}

/** Records that are read before their values are counted: most that are asked for are fewer. */
const RECORDS_A_LOT = 1024;

/**
 * The first of many records, as {@link readRecords} gives them: all of them, or as many as have `valuesMax` values together.
 */
export async function readFirstRecords(
  level: LevelDatabase,
  numbers: readonly number[],
  families: FamilyRecords,
  valuesMax = Number.POSITIVE_INFINITY,
): Promise<(Content | null | undefined)[]> {
  if (valuesMax === Number.POSITIVE_INFINITY) return readRecords(level, undefined, numbers, families);
  const records: (Content | null | undefined)[] = [];
  let values = 0;
  while (records.length < numbers.length) {
    const lot = numbers.slice(records.length, records.length + RECORDS_A_LOT);
    for (const record of await readRecords(level, undefined, lot, families)) {
      records.push(record);
      values += record?.sample.values.length ?? 0;
      if (values >= valuesMax) return records;
    }
  }
  return records;
}

/** After everything else that waits, and with everything else between the steps of one of megabytes. */
async function openLater(key: string, value: Buffer, isKept: boolean): Promise<Content> {
  await nextTurn();
  if (value.length <= DECODED_BYTES_MAX) return openCompared(key, value, isKept);
  return inSteps(openComparedSteps(key, value));
}
