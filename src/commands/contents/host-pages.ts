import type { CorpusDocument } from '../../cluster/port.ts';
import { GrowingColumn, ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import { HOST_SOURCES_MAX, sourceHash } from '../../store/host-sample.ts';
import { sourceKey } from '../../store/source-key.ts';

/*
 * Which contents stand for each host of a corpus, and of which host each content is, as in an index:
 *
 *   for a host       those of its HOST_SOURCES_MAX URLs with the lowest keyed hashes; of a URL with several documents the
 *                    latest one, as the first load of an index has it          (store/host-sample.ts)
 *   of a content     the first of its hosts in the order of an index; a name comes before all, and has none
 *
 * Both follow from the documents alone, whatever their order. Memory: 24 bytes a document, 4 a content, and names of hosts.
 */

/** The number of the host of names, which have none. */
export const NO_HOST = 0;
const NONE = 2 ** 32 - 1;

export class HostPages {
  private readonly rankKey: readonly [number, number];
  private readonly numbers = new Map<string, number>([['', NO_HOST]]);
  private readonly names: string[] = [''];
  private namesBytes = 0;
  private readonly documents = {
    hosts: new GrowingColumn(ownWords),
    contents: new GrowingColumn(ownWords),
    hashes: new GrowingColumn(ownDoubles),
    dates: new GrowingColumn(ownDoubles),
  };
  /** By content. */
  private hosts = new Uint32Array(1024).fill(NONE);
  /** Where the documents of each host begin in {@link order}, once it is known. */
  private starts = new Uint32Array(0);
  private order = new Uint32Array(0);

  /** @param rankKey of the index key, by which URLs are hashed */
  constructor(rankKey: readonly [number, number]) {
    this.rankKey = rankKey;
  }

  /** Hosts, and one number for those that have none. */
  get count(): number {
    return this.names.length;
  }

  /** Of memory. */
  get bytes(): number {
    const { hosts, contents, hashes, dates } = this.documents;
    const columns = hosts.bytes + contents.bytes + hashes.bytes + dates.bytes + this.hosts.byteLength;
    return columns + this.namesBytes + this.starts.byteLength + this.order.byteLength;
  }

  add({ content, url, date }: CorpusDocument): void {
    const key = sourceKey(url);
    const host = this.numberOf(key.slice(0, key.length - url.length - 1));
    if (content >= this.hosts.length) {
      const larger = new Uint32Array(Math.max(content + 1, 2 * this.hosts.length)).fill(NONE);
      larger.set(this.hosts);
      this.hosts = larger;
    }
    const before = this.hosts[content]!;
    if (before === NONE || this.names[host]! < this.names[before]!) this.hosts[content] = host;
    if (host === NO_HOST) return;
    const { hosts, contents, hashes, dates } = this.documents;
    hosts.push(host);
    contents.push(content);
    hashes.push(sourceHash(this.rankKey, url));
    dates.push(date ?? Number.NEGATIVE_INFINITY);
  }

  /** All were added: the documents are put in the order of their hosts. */
  end(): void {
    const { values } = this.documents.hosts;
    const starts = new Uint32Array(this.count + 1);
    for (const host of values) starts[host + 1]!++;
    for (let host = 0; host < this.count; host++) starts[host + 1]! += starts[host]!;
    const next = starts.slice();
    this.order = new Uint32Array(values.length);
    for (const [document, host] of values.entries()) this.order[next[host]!++] = document;
    this.starts = starts;
  }

  hostOfContent(content: number): number {
    return this.hosts[content]!;
  }

  /**
   * The contents that stand for a host, in the order in which an index has them.
   *
   * @param before which of two contents of one URL and one time stands for it, whatever their order
   */
  standingFor(host: number, before: (one: number, other: number) => boolean): number[] {
    const { contents, hashes, dates } = this.documents;
    const documents = [...this.order.subarray(this.starts[host]!, this.starts[host + 1]!)];
    documents.sort((one, other) => hashes.at(one) - hashes.at(other) || dates.at(other) - dates.at(one));
    const standing = new Set<number>();
    let sources = 0;
    for (let at = 0; at < documents.length && sources < HOST_SOURCES_MAX; sources++) {
      const first = documents[at]!;
      let best = contents.at(first);
      for (; at < documents.length && hashes.at(documents[at]!) === hashes.at(first); at++) {
        const other = contents.at(documents[at]!);
        if (dates.at(documents[at]!) === dates.at(first) && before(other, best)) best = other;
      }
      standing.add(best);
    }
    return [...standing];
  }

  private numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.length;
    this.names.push(name);
    this.numbers.set(name, number);
    // the text, twice a number, and a place in the table
    this.namesBytes += name.length + 64;
    return number;
  }
}
