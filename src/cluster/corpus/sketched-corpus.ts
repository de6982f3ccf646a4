import { join } from 'node:path';
import { type Likeness, postedModulus } from '../../core/cluster/pair-floor.ts';
import { LAST } from '../../core/cluster/shingle-lists.ts';
import { encodeSample } from '../../core/coding/sample-codec.ts';
import { countMultiples } from '../../core/compare/sample-comparer.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { coarsen } from '../../core/sketch/modulus.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import { CHUNK_POSTINGS, PostingSpill, type SpillLayout } from '../../spill/posting-spill.ts';
import type { CorpusContent, CorpusDocument, CorpusSink } from '../port.ts';
import { ByteFile } from './byte-file.ts';
import { SharedColumn, sharedBytes, sharedDoubles, sharedWords } from './shared-column.ts';

/*
 * A corpus as it is read, once (Broder 1997, §4.1, "sketch", and §5 for what is equal):
 *
 *   document ── text met before? ── set of shingles met before? ── a new node: its record, and its postings
 *                    content                 node
 *
 *   documents   node, content, date of each; the bytes of its URL in a file
 *   nodes       n, modulus of the postings, sampled values; where its record is in a file
 *   postings    in a spill, told apart by 8 bits                                               (spill/posting-spill.ts)
 *
 * Cost: some 100 bytes of memory a node, 24 a document more; the files take what an index takes for records, 8 bytes a posting.
 */

/** Coarser moduli at which the values of a record are counted: own, twice, four times. */
export const SAMPLED_MODULI = 3;

/** What is known of the nodes of a corpus, in memory that threads share. Plain data. */
export interface NodeTable {
  readonly count: number;
  /** n of each. */
  readonly shingleCounts: Uint32Array;
  /** log2 of the modulus of its postings. */
  readonly postedLogs: Uint8Array;
  /** log2 of the modulus of its record. */
  readonly recordLogs: Uint8Array;
  /** Bits of the values of its record. */
  readonly recordBits: Uint8Array;
  /** SAMPLED_MODULI for each: values of its record that are 0 mod its modulus, twice that, four times that. */
  readonly sampled: Uint32Array;
  /** Where its record is in the file; count + 1 of them. */
  readonly recordStarts: Float64Array;
  readonly recordsPath: string;
}

/** A corpus whose documents were all read. Plain data. */
export interface SketchedCorpus {
  readonly nodes: NodeTable;
  readonly postings: SpillLayout;
  readonly postingCount: number;
  readonly documents: {
    readonly count: number;
    readonly nodes: Uint32Array;
    readonly contents: Uint32Array;
    /** Which record of the input each is. */
    readonly records: Uint32Array;
    /** NaN where nobody says. */
    readonly dates: Float64Array;
    /** Where its URL is in the file; count + 1 of them. */
    readonly urlStarts: Float64Array;
    readonly urlsPath: string;
    readonly urlsSha256: string;
    readonly contentCount: number;
  };
}

/** Where a corpus is written to. */
export interface CorpusFiles {
  /** Of records and postings: there, and empty. */
  readonly folder: string;
  /** Of the bytes of all URLs; nothing is there. */
  readonly urlsPath: string;
  readonly by: Likeness;
}

export class CorpusWriter implements CorpusSink {
  private readonly by: Likeness;
  private readonly spill: PostingSpill;
  private readonly records: ByteFile;
  private readonly urls: ByteFile;
  private readonly paths: { readonly records: string; readonly urls: string };
  private contents = new DigestNumbers();
  private sets = new DigestNumbers();
  private contentCount = 0;
  private postingCount = 0;
  private readonly nodeOfContent = new SharedColumn(sharedWords);
  private readonly shingleCounts = new SharedColumn(sharedWords);
  private readonly postedLogs = new SharedColumn(sharedBytes);
  private readonly recordLogs = new SharedColumn(sharedBytes);
  private readonly recordBits = new SharedColumn(sharedBytes);
  private readonly sampled = new SharedColumn(sharedWords);
  private readonly recordStarts = new SharedColumn(sharedDoubles);
  private readonly documentNodes = new SharedColumn(sharedWords);
  private readonly documentContents = new SharedColumn(sharedWords);
  private readonly documentRecords = new SharedColumn(sharedWords);
  private readonly dates = new SharedColumn(sharedDoubles);
  private readonly urlStarts = new SharedColumn(sharedDoubles);

  private constructor({ folder, urlsPath, by }: CorpusFiles, spill: PostingSpill) {
    this.by = by;
    this.spill = spill;
    this.paths = { records: join(folder, 'records'), urls: urlsPath };
    this.records = new ByteFile(this.paths.records);
    this.urls = new ByteFile(this.paths.urls);
  }

  static async create(files: CorpusFiles): Promise<CorpusWriter> {
    return new CorpusWriter(files, await PostingSpill.create(join(files.folder, 'postings'), CHUNK_POSTINGS));
  }

  /** @throws ShingledError `storage-full`, `invalid-request` for more texts than can be told apart */
  content(content: CorpusContent): number {
    const known = this.contents.find(content.lexicalDigest);
    if (known !== undefined) return known;
    const number = this.contentCount++;
    this.contents.add(content.lexicalDigest, number);
    this.nodeOfContent.push(this.nodeFor(content));
    return number;
  }

  /** @throws ShingledError `storage-full` */
  document({ content, url, date, record }: CorpusDocument): void {
    this.documentNodes.push(this.nodeOfContent.values[content]!);
    this.documentContents.push(content);
    this.documentRecords.push(record);
    this.dates.push(date ?? Number.NaN);
    this.urlStarts.push(this.urls.size);
    this.urls.write(Buffer.from(url));
  }

  room(): Promise<void> {
    return this.spill.room();
  }

  /** All documents were added. @throws ShingledError `storage-full` */
  async seal(): Promise<SketchedCorpus> {
    const { paths } = this;
    this.recordStarts.push(this.records.size);
    this.urlStarts.push(this.urls.size);
    this.records.end();
    const urlsSha256 = this.urls.end();
    this.contents = new DigestNumbers();
    this.sets = new DigestNumbers();
    const postings = await this.spill.seal();
    await this.spill.close();
    return {
      nodes: {
        count: this.shingleCounts.size,
        shingleCounts: this.shingleCounts.values,
        postedLogs: this.postedLogs.values,
        recordLogs: this.recordLogs.values,
        recordBits: this.recordBits.values,
        sampled: this.sampled.values,
        recordStarts: this.recordStarts.values,
        recordsPath: paths.records,
      },
      postings,
      postingCount: this.postingCount,
      documents: {
        count: this.documentNodes.size,
        nodes: this.documentNodes.values,
        contents: this.documentContents.values,
        records: this.documentRecords.values,
        dates: this.dates.values,
        urlStarts: this.urlStarts.values,
        urlsPath: paths.urls,
        urlsSha256,
        contentCount: this.contentCount,
      },
    };
  }

  private nodeFor({ shingleDigest, shingleCount, sample }: CorpusContent): number {
    const known = this.sets.find(shingleDigest);
    if (known !== undefined) return known;
    const node = this.shingleCounts.size;
    if (node >= LAST - 1)
      throw new ShingledError('invalid-request', `A corpus has at most ${LAST - 1} different texts.`);
    this.sets.add(shingleDigest, node);
    this.shingleCounts.push(shingleCount);
    this.recordLogs.push(Math.log2(sample.modulus));
    this.recordBits.push(sample.bits);
    for (let i = 0; i < SAMPLED_MODULI; i++) this.sampled.push(countMultiples(sample, sample.modulus * 2 ** i));
    this.recordStarts.push(this.records.size);
    this.records.write(encodeSample(sample));
    this.post(node, shingleCount, sample);
    return node;
  }

  private post(node: number, shingleCount: number, sample: KeptSample): void {
    // in no order: they are sorted with those of others
    const exact = { modulus: sample.exactModulus, fingerprints: sample.exact };
    const { modulus, fingerprints } = coarsen(exact, postedModulus(shingleCount, this.by));
    this.postedLogs.push(Math.log2(modulus));
    this.postingCount += fingerprints.length;
    this.spill.add(node, fingerprints);
  }
}
