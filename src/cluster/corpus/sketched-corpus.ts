import { join } from 'node:path';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { DIGEST_WORDS, DigestNumbers, digestWords } from '../../core/memory/digest-numbers.ts';
import { ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import { afterEqual, mappedColumn, NarrowPages, PagedColumn, startsOf } from '../../core/memory/paged-column.ts';
import { CHUNK_ENTRIES } from '../../spill/posting-spill.ts';
import { tooLittle } from '../pairs/pair-memory.ts';
import type { CorpusContent, CorpusDocument, CorpusSink } from '../port.ts';
import { type FileSeal, writeColumns } from '../result/columns-file.ts';
import { ByteFile } from './byte-file.ts';
import { NodeThread } from './node-thread.ts';
import type { SealedNodes } from './node-writer.ts';

/*
 * A corpus as it is read, once (Broder 1997, §4.1, "sketch", and §5 for what is equal):
 *
 *   document ── text met before? ─────│── set of shingles met before? ── a new node: its record, and its postings
 *                    content          │        node                                          (node-writer.ts)
 *                 who reads it        │   another thread
 *
 *   documents   node, content, date of each; the bytes of its URL in a file
 *   nodes       n, modulus of the postings, sampled values; where its record is in a file
 *   postings    in a spill, told apart by 8 bits                                               (spill/posting-spill.ts)
 *
 * Cost: some 60 to 100 bytes of memory a node, 10 to 24 a document more. The files take what an index takes for records, and 5
 * bytes a posting.
 */

/** A corpus whose documents were all read, and written: to be named (sketched-state.ts). */
export interface SketchedCorpus {
  readonly nodes: SealedNodes;
  readonly documents: {
    readonly count: number;
    readonly contentCount: number;
    readonly hasDates: boolean;
    /** Columns, and the bytes of URLs. */
    readonly files: { readonly documents: FileSeal; readonly urls: FileSeal };
  };
}

/** Where a corpus is written to. */
export interface CorpusFiles {
  /** Of all other files: there, and empty. */
  readonly folder: string;
  /** Of the bytes of all URLs; nothing is there. */
  readonly urlsPath: string;
  readonly by: Likeness;
  /** Of the process, and what it takes beside all columns; without it no bound. */
  readonly memory?: { readonly bytesMax: number; readonly besideBytes: number };
}

const UNBOUND = { bytesMax: Number.POSITIVE_INFINITY, besideBytes: 0 };

export class CorpusWriter implements CorpusSink {
  private readonly files: CorpusFiles;
  private readonly urls: ByteFile;
  private readonly nodes: NodeThread;
  private readonly texts = new DigestNumbers();
  private textCount = 0;
  private readonly columns = {
    contents: new PagedColumn(ownWords),
    records: new PagedColumn(ownWords),
    urlBytes: new NarrowPages(),
    /** From the first date on that is known: none before. */
    dates: new PagedColumn(ownDoubles),
  };
  /** Documents before the first one with a date. */
  private undated = 0;

  private constructor(files: CorpusFiles, urls: ByteFile) {
    const { folder, by } = files;
    this.files = files;
    this.urls = urls;
    this.nodes = new NodeThread({ folder, by, chunkEntries: CHUNK_ENTRIES });
  }

  /** @throws ShingledError `storage-full` */
  static async create(files: CorpusFiles): Promise<CorpusWriter> {
    return new CorpusWriter(files, await ByteFile.create(files.urlsPath, { isHashed: true }));
  }

  contents(contents: readonly CorpusContent[]): number[] {
    const words = new Float64Array(DIGEST_WORDS * contents.length);
    for (const [i, { lexicalDigest }] of contents.entries()) digestWords(lexicalDigest, words, DIGEST_WORDS * i);
    // what looking them up reads comes from the memory at once, and is at hand then
    for (let at = 0; at < words.length; at += DIGEST_WORDS) this.texts.touch(words, at);
    return contents.map((content, i) => {
      const number = this.texts.findOrAdd(words, DIGEST_WORDS * i, this.textCount);
      if (number === this.textCount) {
        this.textCount++;
        this.nodes.add(content);
      }
      return number;
    });
  }

  document({ content, url, date, record }: CorpusDocument): void {
    const { columns, urls } = this;
    columns.contents.push(content);
    columns.records.push(record);
    if (date === null && columns.dates.length === 0) this.undated++;
    else columns.dates.push(date ?? Number.NaN);
    const before = urls.size;
    urls.writeText(url);
    columns.urlBytes.push(urls.size - before);
  }

  async room(heldBytes = 0): Promise<void> {
    await this.nodes.room();
    await this.urls.room();
    const { bytesMax, besideBytes } = this.files.memory ?? UNBOUND;
    const taken = besideBytes + heldBytes + this.columnBytes;
    if (taken <= bytesMax) return;
    throw tooLittle(`What is known of ${this.columns.contents.length} documents, and there are more,`, taken, bytesMax);
  }

  /**
   * All documents were added.
   *
   * @throws ShingledError `storage-full`, `memory-short`; `invalid-request` for more texts than can be told apart
   */
  async seal(): Promise<SketchedCorpus> {
    const { urls } = this;
    const nodeOfText = await this.nodes.texts();
    const others = Promise.all([this.nodes.seal(), urls.end()]);
    // met where it is awaited
    others.catch(() => undefined);
    const documents = this.writeDocuments(new PagedColumn(ownWords, nodeOfText));
    const [nodes, sha256] = await others;
    // what it has of memory is needed no more
    await this.nodes.close();
    const { contents, dates } = this.columns;
    return {
      nodes,
      documents: {
        ...{ count: contents.length, contentCount: this.textCount, hasDates: dates.length > 0 },
        files: { documents, urls: { bytes: urls.size, sha256 } },
      },
    };
  }

  private writeDocuments(nodeOfText: PagedColumn<Uint32Array<ArrayBuffer>>): FileSeal {
    const { contents, records, urlBytes, dates } = this.columns;
    return writeColumns(join(this.files.folder, 'documents'), {
      nodes: mappedColumn(contents, ownWords, (content) => nodeOfText.at(content)),
      ...{ contents, records, dates: afterEqual(this.undated, Number.NaN, dates), urlStarts: startsOf(urlBytes) },
    });
  }

  /** Nothing is open any more. */
  async close(): Promise<void> {
    await Promise.all([this.nodes.close(), this.urls.close()]);
  }

  private get columnBytes(): number {
    const columns = Object.values(this.columns);
    return columns.reduce((sum, { bytes }) => sum + bytes, this.texts.bytes + this.nodes.bytes);
  }
}
