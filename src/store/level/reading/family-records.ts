import type { Content } from '../../port.ts';

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
export const RECORDS_A_PART = 64;

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
