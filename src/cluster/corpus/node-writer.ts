import { type Likeness, postedModulus } from '../../core/cluster/pair-floor.ts';
import { LAST } from '../../core/cluster/shingle-lists.ts';
import { encodeSample } from '../../core/coding/sample-codec.ts';
import { countNested } from '../../core/compare/sample-comparer.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { ownBytes } from '../../core/memory/growing-column.ts';
import { type ColumnParts, NarrowPages, PagedColumn, startsOf } from '../../core/memory/paged-column.ts';
import { coarsen, FINGERPRINT_BITS } from '../../core/sketch/modulus.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import type { CorpusContent } from '../port.ts';
import type { ByteFile } from './byte-file.ts';
import type { NodeTable } from './node-table.ts';
import type { SpillThread } from './spill-thread.ts';

const NO_RECORD = new Uint8Array(0);

/** Columns of a table of nodes (node-table.ts), and bytes of all records. */
export type SketchedNodes = Readonly<
  Record<Exclude<keyof NodeTable, 'count' | 'recordsPath'>, ColumnParts> & Record<'count' | 'recordsBytes', number>
>;

/**
 * Nodes of a corpus, as their texts come: postings, and records of which not all is posted, into files, the rest in columns.
 */
export class NodeWriter {
  postingCount = 0;
  private readonly by: Likeness;
  private readonly spill: Pick<SpillThread, 'add'>;
  private readonly records: ByteFile;
  private readonly sets = new DigestNumbers();
  private readonly shingleCounts = new NarrowPages();
  private readonly postedLogs = new PagedColumn(ownBytes);
  private readonly recordLogs = new PagedColumn(ownBytes);
  private readonly recordBits = new PagedColumn(ownBytes);
  private readonly sampled = new NarrowPages();
  private readonly recordBytes = new NarrowPages();

  constructor(
    by: Likeness,
    { spill, records }: { readonly spill: Pick<SpillThread, 'add'>; readonly records: ByteFile },
  ) {
    this.by = by;
    this.spill = spill;
    this.records = records;
  }

  /** Of memory. */
  get bytes(): number {
    const { shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordBytes } = this;
    const columns = [shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordBytes];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.sets.bytes);
  }

  /** Before some contents are asked for: what looking them up reads is at hand then. @returns nothing of use */
  touch(contents: readonly CorpusContent[]): number {
    let touched = 0;
    for (const { shingleDigest } of contents) touched ^= this.sets.touch(shingleDigest);
    return touched;
  }

  /** The node that has this set of shingles; a new one where there is none. @throws ShingledError `invalid-request` */
  numberOf({ shingleDigest, shingleCount, sample }: CorpusContent): number {
    const next = this.shingleCounts.length;
    const node = this.sets.findOrAdd(shingleDigest, next);
    if (node < next) return node;
    if (node >= LAST - 1)
      throw new ShingledError('invalid-request', `A corpus has at most ${LAST - 1} different texts.`);
    this.shingleCounts.push(shingleCount);
    this.recordLogs.push(Math.log2(sample.modulus));
    this.recordBits.push(sample.bits);
    for (const count of countNested(sample)) this.sampled.push(count);
    const modulus = this.post(node, shingleCount, sample);
    const isPosted = modulus === sample.modulus && sample.bits === FINGERPRINT_BITS;
    const record = isPosted ? NO_RECORD : encodeSample(sample);
    this.recordBytes.push(record.length);
    this.records.write(record);
    return node;
  }

  /** All of them were added. */
  end(): SketchedNodes {
    const { shingleCounts, postedLogs, recordLogs, recordBits, sampled } = this;
    return {
      ...{ count: shingleCounts.length, shingleCounts, postedLogs, recordLogs, recordBits, sampled },
      ...{ recordStarts: startsOf(this.recordBytes), recordsBytes: this.records.size },
    };
  }

  /** @returns the modulus of what is posted */
  private post(node: number, shingleCount: number, sample: KeptSample): number {
    // in no order: they are sorted with those of others
    const exact = { modulus: sample.exactModulus, fingerprints: sample.exact };
    const { modulus, fingerprints } = coarsen(exact, postedModulus(shingleCount, this.by));
    this.postedLogs.push(Math.log2(modulus));
    this.postingCount += fingerprints.length;
    this.spill.add(node, fingerprints);
    return modulus;
  }
}
