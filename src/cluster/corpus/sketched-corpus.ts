import { join } from 'node:path';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { DigestNumbers } from '../../core/memory/digest-numbers.ts';
import { ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import {
  afterEqual,
  type ColumnParts,
  mappedColumn,
  NarrowPages,
  PagedColumn,
  startsOf,
} from '../../core/memory/paged-column.ts';
import { CHUNK_ENTRIES } from '../../spill/posting-spill.ts';
import type { SpillLayout } from '../../spill/spilled-chunks.ts';
import { tooLittle } from '../pairs/pair-memory.ts';
import type { CorpusContent, CorpusDocument, CorpusSink } from '../port.ts';
import { ByteFile } from './byte-file.ts';
import { NodeWriter, type SketchedNodes } from './node-writer.ts';
import { SpillThread } from './spill-thread.ts';

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
 * Cost: some 60 to 100 bytes of memory a node, 10 to 24 a document more. The files take what an index takes for records, and 5
 * bytes a posting.
 */

/** A corpus whose documents were all read: to be written (sketched-state.ts). */
export interface SketchedCorpus {
  readonly nodes: SketchedNodes;
  readonly postings: SpillLayout;
  readonly postingCount: number;
  readonly documents: {
    readonly count: number;
    readonly nodes: ColumnParts;
    readonly contents: ColumnParts;
    /** Which record of the input each is. */
    readonly records: ColumnParts;
    /** NaN where nobody says. */
    readonly dates: ColumnParts;
    readonly hasDates: boolean;
    /** Where its URL is in the file; count + 1 of them. */
    readonly urlStarts: ColumnParts;
    readonly urlsBytes: number;
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

/** New texts that wait to be looked up together: what they touch stays in the cache, */
const PENDING_MAX = 256;
/** … and what they hold is little. */
const PENDING_VALUES_MAX = 2 ** 15;

interface Opened {
  readonly spill: SpillThread;
  readonly records: ByteFile;
  readonly urls: ByteFile;
}

export class CorpusWriter implements CorpusSink {
  private readonly files: CorpusFiles;
  private readonly opened: Opened;
  private readonly nodes: NodeWriter;
  private readonly contents = new DigestNumbers();
  private contentCount = 0;
  /** New texts whose nodes are not looked up yet, and their values. */
  private readonly pending: CorpusContent[] = [];
  private pendingValues = 0;
  private readonly nodeOfContent = new PagedColumn(ownWords);
  private readonly columns = {
    contents: new PagedColumn(ownWords),
    records: new PagedColumn(ownWords),
    urlBytes: new NarrowPages(),
    /** From the first date on that is known: none before. */
    dates: new PagedColumn(ownDoubles),
  };
  /** Documents before the first one with a date. */
  private undated = 0;

  private constructor(files: CorpusFiles, opened: Opened) {
    this.files = files;
    this.opened = opened;
    this.nodes = new NodeWriter(files.by, opened);
  }

  /** @throws ShingledError `storage-full` */
  static async create(files: CorpusFiles): Promise<CorpusWriter> {
    const { folder, urlsPath } = files;
    const spill = new SpillThread({ path: join(folder, 'postings'), chunkEntries: CHUNK_ENTRIES });
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

  /**
   * @param content held until there is {@link room}
   * @throws ShingledError `invalid-request` for more texts than can be told apart
   */
  content(content: CorpusContent): number {
    const number = this.contents.findOrAdd(content.lexicalDigest, this.contentCount);
    if (number < this.contentCount) return number;
    this.contentCount++;
    this.pending.push(content);
    this.pendingValues += content.sample.values.length;
    if (this.pending.length >= PENDING_MAX || this.pendingValues >= PENDING_VALUES_MAX) this.settle();
    return number;
  }

  /** Looks up the nodes of new texts, of several at a time: each lies anywhere in the memory. */
  private settle(): void {
    this.nodes.touch(this.pending);
    for (const content of this.pending) this.nodeOfContent.push(this.nodes.numberOf(content));
    this.pending.length = 0;
    this.pendingValues = 0;
  }

  document({ content, url, date, record }: CorpusDocument): void {
    const { columns } = this;
    const { urls } = this.opened;
    columns.contents.push(content);
    columns.records.push(record);
    if (date === null && columns.dates.length === 0) this.undated++;
    else columns.dates.push(date ?? Number.NaN);
    const before = urls.size;
    urls.writeText(url);
    columns.urlBytes.push(urls.size - before);
  }

  async room(): Promise<void> {
    this.settle();
    const { spill, records, urls } = this.opened;
    await spill.room();
    await records.room();
    await urls.room();
    const { memoryBytes } = this.files;
    const taken = this.memoryBytes;
    if (memoryBytes === undefined || taken <= memoryBytes) return;
    throw tooLittle(
      `What is known of ${this.columns.contents.length} documents, and there are more,`,
      taken,
      memoryBytes,
    );
  }

  /** All documents were added. @throws ShingledError `storage-full` */
  async seal(): Promise<SketchedCorpus> {
    const { spill, records, urls } = this.opened;
    const { contents, records: recordNumbers, urlBytes, dates } = this.columns;
    this.settle();
    const nodes = this.nodes.end();
    await records.end();
    const urlsSha256 = await urls.end();
    const postings = await spill.seal();
    await spill.close();
    return {
      ...{ nodes, postings, postingCount: this.nodes.postingCount },
      documents: {
        count: contents.length,
        nodes: mappedColumn(contents, ownWords, (content) => this.nodeOfContent.at(content)),
        ...{
          contents,
          records: recordNumbers,
          dates: afterEqual(this.undated, Number.NaN, dates),
          hasDates: dates.length > 0,
          urlStarts: startsOf(urlBytes),
        },
        ...{ urlsBytes: urls.size, urlsSha256, contentCount: this.contentCount },
      },
    };
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    const { spill, records, urls } = this.opened;
    await Promise.all([spill.close(), records.close(), urls.close()]);
  }

  /** Of columns. */
  private get memoryBytes(): number {
    const columns = [...Object.values(this.columns), this.nodeOfContent];
    return columns.reduce((sum, { bytes }) => sum + bytes, this.contents.bytes + this.nodes.bytes);
  }
}
