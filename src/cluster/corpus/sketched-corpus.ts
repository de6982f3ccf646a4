import { join } from 'node:path';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { GrowingColumn, ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import { CHUNK_ENTRIES, PostingSpill, type SpillLayout } from '../../spill/posting-spill.ts';
import { tooLittle } from '../pairs/pair-memory.ts';
import type { CorpusContent, CorpusDocument, CorpusSink } from '../port.ts';
import { ByteFile } from './byte-file.ts';
import type { NodeTable } from './node-table.ts';
import { NodeWriter } from './node-writer.ts';

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
 * Cost: some 100 bytes of memory a node, 24 a document more; the files take what an index takes for records, 5 bytes a posting.
 */

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
  /** For all columns; without it no bound. */
  readonly memoryBytes?: number;
}

interface Opened {
  readonly spill: PostingSpill;
  readonly records: ByteFile;
  readonly urls: ByteFile;
}

export class CorpusWriter implements CorpusSink {
  private readonly files: CorpusFiles;
  private readonly opened: Opened;
  private readonly nodes: NodeWriter;
  private readonly contents = new DigestNumbers();
  private contentCount = 0;
  private readonly nodeOfContent = new GrowingColumn(ownWords);
  private readonly columns = {
    nodes: new GrowingColumn(ownWords),
    contents: new GrowingColumn(ownWords),
    records: new GrowingColumn(ownWords),
    dates: new GrowingColumn(ownDoubles),
    urlStarts: new GrowingColumn(ownDoubles),
  };

  private constructor(files: CorpusFiles, opened: Opened) {
    this.files = files;
    this.opened = opened;
    this.nodes = new NodeWriter(files.by, opened);
  }

  /** @throws ShingledError `storage-full` */
  static async create(files: CorpusFiles): Promise<CorpusWriter> {
    const { folder, urlsPath } = files;
    const spill = await PostingSpill.create(join(folder, 'postings'), CHUNK_ENTRIES, true);
    const opened: { close(): Promise<void> }[] = [spill];
    try {
      const records = await ByteFile.create(join(folder, 'records'), { isHashed: false });
      opened.push(records);
      const urls = await ByteFile.create(urlsPath, { isHashed: true });
      return new CorpusWriter(files, { spill, records, urls });
    } catch (error) {
      await Promise.all(opened.map((file) => file.close()));
      throw error;
    }
  }

  /** @throws ShingledError `invalid-request` for more texts than can be told apart */
  content(content: CorpusContent): number {
    const number = this.contents.findOrAdd(content.lexicalDigest, this.contentCount);
    if (number < this.contentCount) return number;
    this.contentCount++;
    this.nodeOfContent.push(this.nodes.numberOf(content));
    return number;
  }

  document({ content, url, date, record }: CorpusDocument): void {
    const { columns } = this;
    const { urls } = this.opened;
    columns.nodes.push(this.nodeOfContent.at(content));
    columns.contents.push(content);
    columns.records.push(record);
    columns.dates.push(date ?? Number.NaN);
    columns.urlStarts.push(urls.size);
    urls.writeText(url);
  }

  async room(): Promise<void> {
    const { spill, records, urls } = this.opened;
    await spill.room();
    await records.room();
    await urls.room();
    const { memoryBytes } = this.files;
    const taken = this.memoryBytes;
    if (memoryBytes === undefined || taken <= memoryBytes) return;
    throw tooLittle(`What is known of ${this.columns.nodes.size} documents, and there are more,`, taken, memoryBytes);
  }

  /** All documents were added. @throws ShingledError `storage-full` */
  async seal(): Promise<SketchedCorpus> {
    const { spill, records, urls } = this.opened;
    const { columns } = this;
    columns.urlStarts.push(urls.size);
    const nodes = this.nodes.end();
    await records.end();
    const urlsSha256 = await urls.end();
    const postings = await spill.seal();
    await spill.close();
    return {
      nodes: { ...nodes, recordsPath: join(this.files.folder, 'records') },
      postings,
      postingCount: this.nodes.postingCount,
      documents: {
        count: columns.nodes.size,
        nodes: columns.nodes.values,
        contents: columns.contents.values,
        records: columns.records.values,
        dates: columns.dates.values,
        urlStarts: columns.urlStarts.values,
        urlsPath: this.files.urlsPath,
        urlsSha256,
        contentCount: this.contentCount,
      },
    };
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    const { spill, records, urls } = this.opened;
    await Promise.all([spill.close(), records.close(), urls.close()]);
  }

  /** Of columns, one of which may be copied into a larger one. */
  private get memoryBytes(): number {
    const columns = [...Object.values(this.columns), ...this.nodes.columns, this.nodeOfContent];
    const sizes = columns.map(({ bytes }) => bytes);
    const sum = sizes.reduce((all, bytes) => all + bytes, this.contents.bytes + this.nodes.digestBytes);
    return sum + 1.5 * Math.max(...sizes);
  }
}
