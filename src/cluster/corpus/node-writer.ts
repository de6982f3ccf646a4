import { type Likeness, postedModulus } from '../../core/cluster/pair-floor.ts';
import { LAST } from '../../core/cluster/shingle-lists.ts';
import { encodeSample } from '../../core/coding/sample-codec.ts';
import { countNested } from '../../core/compare/sample-comparer.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { GrowingColumn, ownBytes, ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import { coarsen, FINGERPRINT_BITS } from '../../core/sketch/modulus.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import type { PostingSpill } from '../../spill/posting-spill.ts';
import type { CorpusContent } from '../port.ts';
import type { ByteFile } from './byte-file.ts';
import type { NodeTable } from './node-table.ts';

/**
 * Nodes of a corpus, as their texts come: postings, and records where these are not all of them, into files, the rest in columns.
 */
export class NodeWriter {
  postingCount = 0;
  private readonly by: Likeness;
  private readonly spill: PostingSpill;
  private readonly records: ByteFile;
  private readonly sets = new DigestNumbers();
  private readonly shingleCounts = new GrowingColumn(ownWords);
  private readonly postedLogs = new GrowingColumn(ownBytes);
  private readonly recordLogs = new GrowingColumn(ownBytes);
  private readonly recordBits = new GrowingColumn(ownBytes);
  private readonly sampled = new GrowingColumn(ownWords);
  private readonly recordStarts = new GrowingColumn(ownDoubles);

  constructor(by: Likeness, { spill, records }: { readonly spill: PostingSpill; readonly records: ByteFile }) {
    this.by = by;
    this.spill = spill;
    this.records = records;
  }

  get columns(): readonly { readonly bytes: number }[] {
    const { shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordStarts } = this;
    return [shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordStarts];
  }

  get digestBytes(): number {
    return this.sets.bytes;
  }

  /** The node that has this set of shingles; a new one where there is none. @throws ShingledError `invalid-request` */
  numberOf({ shingleDigest, shingleCount, sample }: CorpusContent): number {
    const next = this.shingleCounts.size;
    const node = this.sets.findOrAdd(shingleDigest, next);
    if (node < next) return node;
    if (node >= LAST - 1)
      throw new ShingledError('invalid-request', `A corpus has at most ${LAST - 1} different texts.`);
    this.shingleCounts.push(shingleCount);
    this.recordLogs.push(Math.log2(sample.modulus));
    this.recordBits.push(sample.bits);
    for (const count of countNested(sample)) this.sampled.push(count);
    this.recordStarts.push(this.records.size);
    const modulus = this.post(node, shingleCount, sample);
    if (modulus > sample.modulus || sample.bits < FINGERPRINT_BITS) this.records.write(encodeSample(sample));
    return node;
  }

  /** All of them were added. */
  end(): Omit<NodeTable, 'recordsPath'> {
    this.recordStarts.push(this.records.size);
    return {
      count: this.shingleCounts.size,
      shingleCounts: this.shingleCounts.values,
      postedLogs: this.postedLogs.values,
      recordLogs: this.recordLogs.values,
      recordBits: this.recordBits.values,
      sampled: this.sampled.values,
      recordStarts: this.recordStarts.values,
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
