import { join } from 'node:path';
import { type Likeness, postedModulus } from '../../core/cluster/pair-floor.ts';
import { LAST } from '../../core/cluster/shingle-lists.ts';
import { encodeSample } from '../../core/coding/sample-codec.ts';
import { countNested } from '../../core/compare/sample-comparer.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { ownBytes, ownWords } from '../../core/memory/growing-column.ts';
import { type ColumnPages, NarrowPages, PagedColumn, startsOf } from '../../core/memory/paged-column.ts';
import { distinctKeys, POSTED_BITS, postedKeys } from '../../core/query/posted-key.ts';
import { coarsen, FINGERPRINT_BITS } from '../../core/sketch/modulus.ts';
import { ShingledError } from '../../errors.ts';
import { PostingSpill } from '../../spill/posting-spill.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';
import { type FileSeal, writeColumns } from '../result/columns-file.ts';
import { ByteFile } from './byte-file.ts';
import { type ThinPostings, withBits } from './node-table.ts';
import { type TextDoubles, textBits, textEnd, textSample, textShingles } from './text-batch.ts';

const NO_RECORD = new Uint8Array(0);

export interface NodeSetup {
  /** Nothing of a corpus is in it. */
  readonly folder: string;
  readonly by: Likeness;
  /** Of the spill: CHUNK_ENTRIES but in tests. */
  readonly chunkEntries: number;
}

/** Nodes of a corpus that was read, and their files. */
export interface SealedNodes {
  readonly count: number;
  readonly postings: SpillLayout;
  readonly postingCount: number;
  readonly thin: ThinPostings | null;
  readonly bytes: { readonly postings: number; readonly records: number };
  /** Columns (node-table.ts): nodes as the result has them, places only until then. */
  readonly files: { readonly nodes: FileSeal; readonly places: FileSeal };
}

/** The node of each text that was added, in their order. */
export type NodeOfText = ColumnPages<Uint32Array<ArrayBuffer>>;

/**
 * Nodes of a corpus, as their texts come: postings, and records of which not all is posted, into files, the rest in columns.
 */
export class NodeWriter {
  private readonly setup: NodeSetup;
  private readonly spill: PostingSpill;
  private readonly records: ByteFile;
  private readonly sets = new DigestNumbers();
  private readonly nodeOfText = new PagedColumn(ownWords);
  private readonly shingleCounts = new NarrowPages();
  private readonly postedLogs = new PagedColumn(ownBytes);
  private readonly recordLogs = new PagedColumn(ownBytes);
  private readonly recordBits = new PagedColumn(ownBytes);
  private readonly sampled = new NarrowPages();
  private readonly recordBytes = new NarrowPages();
  private thin: ThinPostings | null = null;

  private constructor(setup: NodeSetup, spill: PostingSpill, records: ByteFile) {
    this.setup = setup;
    this.spill = spill;
    this.records = records;
  }

  /** @throws ShingledError `storage-full` */
  static async create(setup: NodeSetup): Promise<NodeWriter> {
    const spill = await PostingSpill.create(join(setup.folder, 'postings'), setup.chunkEntries, true);
    try {
      const records = await ByteFile.create(join(setup.folder, 'records'), { isHashed: false });
      return new NodeWriter(setup, spill, records);
    } catch (error) {
      await spill.close();
      throw error;
    }
  }

  /** Of memory. */
  get bytes(): number {
    const { nodeOfText, shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordBytes } = this;
    const columns = [nodeOfText, shingleCounts, postedLogs, recordLogs, recordBits, sampled, recordBytes];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.sets.bytes);
  }

  /**
   * The nodes of some texts.
   *
   * @param used how much of the batch
   * @throws ShingledError `invalid-request` for more than can be told apart
   */
  add(batch: TextDoubles, used: number): void {
    // what looking them up reads comes from the memory at once, and is at hand then
    for (let at = 0; at < used; at = textEnd(batch, at)) this.sets.touch(batch, at);
    for (let at = 0; at < used; at = textEnd(batch, at)) this.nodeOfText.push(this.nodeOf(batch, at));
  }

  /** To be awaited after each batch. @throws ShingledError `storage-full` */
  async room(): Promise<void> {
    this.spill.check();
    await this.records.room();
  }

  /** The nodes of all texts so far; once, and before {@link seal}. */
  takeNodeOfText(): NodeOfText {
    return this.nodeOfText.inPages();
  }

  /** All of them were added. Once. @throws ShingledError `storage-full` */
  async seal(): Promise<SealedNodes> {
    const { folder } = this.setup;
    const { shingleCounts, postedLogs, recordLogs, recordBits, sampled, records, spill } = this;
    await records.end();
    const postings = await spill.seal();
    return {
      count: shingleCounts.length,
      ...{ postings, postingCount: postings.counts.reduce((sum, count) => sum + count, 0) },
      ...{ thin: this.thin, bytes: { postings: spill.bytes, records: records.size } },
      files: {
        nodes: writeColumns(join(folder, 'nodes'), { shingleCounts, recordLogs, recordBits, sampled }),
        places: writeColumns(join(folder, 'places'), { postedLogs, recordStarts: startsOf(this.recordBytes) }),
      },
    };
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    await Promise.all([this.spill.close(), this.records.close()]);
  }

  /** The node that has this set of shingles; a new one where there is none. */
  private nodeOf(batch: TextDoubles, at: number): number {
    const next = this.shingleCounts.length;
    const node = this.sets.findOrAdd(batch, at, next);
    if (node < next) return node;
    if (node >= LAST - 1)
      throw new ShingledError('invalid-request', `A corpus has at most ${LAST - 1} different texts.`);
    const shingleCount = textShingles(batch, at);
    const sample = textSample(batch, at);
    this.shingleCounts.push(shingleCount);
    this.recordLogs.push(Math.log2(sample.modulus));
    for (const count of countNested(sample)) this.sampled.push(count);
    // in no order: they are sorted with those of others
    const exact = { modulus: sample.exactModulus, fingerprints: sample.exact };
    const wanted = postedModulus(shingleCount, this.setup.by);
    const { modulus, fingerprints } = coarsen(exact, wanted);
    if (modulus > wanted) this.noteThin(shingleCount, modulus);
    this.postedLogs.push(Math.log2(modulus));
    const keys = distinctKeys(postedKeys(fingerprints));
    this.spill.add(node, keys);
    const isWhole = modulus === sample.modulus && sample.bits === FINGERPRINT_BITS;
    const isPosted = isWhole && keys.length === fingerprints.length;
    this.recordBits.push(isPosted ? withBits(textBits(batch, at), POSTED_BITS) : textBits(batch, at));
    const record = isPosted ? NO_RECORD : encodeSample(sample);
    this.recordBytes.push(record.length);
    this.records.write(record);
    return node;
  }

  private noteThin(shingleCount: number, modulus: number): void {
    const { unitsLeast, modulusMost } = this.thin ?? { unitsLeast: Number.POSITIVE_INFINITY, modulusMost: 1 };
    this.thin = {
      unitsLeast: Math.min(unitsLeast, shingleCount / modulus),
      modulusMost: Math.max(modulusMost, modulus),
    };
  }
}
