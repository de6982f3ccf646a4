import { crc32 } from 'node:zlib';
import { textStatement } from './check-sums.ts';

const SECOND = 0x9e37_79b9;

/**
 * What a rebuild knows of every content by its number: whether there is a record, whose it is, and whether that source was
 * met. 13 bytes a content, and its id.
 */
export class RebuiltContents {
  /** A statement of its id; 0 where there is no record. */
  private ids = new Int32Array(1024);
  /** Two of its owner's URL. */
  private owners = new Int32Array(2048);
  private state = new Uint8Array(1024);
  private readonly byId = new Map<string, number>();
  /** Contents whose id a later one has too: of those that came back after their deletion. */
  private readonly aliases = new Map<number, number>();
  /** One more than the highest number. */
  end = 0;

  add(number: number, id: string, owner: string): void {
    this.reserve(number);
    const earlier = this.byId.get(id);
    if (earlier !== undefined) {
      this.aliases.set(earlier, number);
      this.ids[earlier] = 0;
    }
    this.byId.set(id, number);
    this.ids[number] = textStatement(id);
    this.owners[2 * number] = crc32(owner);
    this.owners[2 * number + 1] = crc32(owner, SECOND);
  }

  /** The number under which a content is kept; undefined where it has no record. */
  find(number: number): number | undefined {
    let found = number;
    for (let next = this.aliases.get(found); next !== undefined; next = this.aliases.get(found)) found = next;
    return (this.ids[found] ?? 0) === 0 ? undefined : found;
  }

  /** The same, where its id is this one. */
  findNamed(number: number, id: string): number | undefined {
    const found = this.find(number);
    return found !== undefined && this.ids[found] === textStatement(id) ? found : undefined;
  }

  /** Notes that a source has a content. @returns whether it is its owner */
  hold(number: number, url: string): boolean {
    const isOwner =
      this.owners[2 * number] === (crc32(url) | 0) && this.owners[2 * number + 1] === (crc32(url, SECOND) | 0);
    this.state[number]! |= isOwner ? 1 : 2;
    return isOwner;
  }

  hasOwner(number: number): boolean {
    return (this.state[number]! & 1) !== 0;
  }

  hasOtherHolders(number: number): boolean {
    return (this.state[number]! & 2) !== 0;
  }

  private reserve(number: number): void {
    this.end = Math.max(this.end, number + 1);
    if (number < this.ids.length) return;
    const size = Math.max(2 * this.ids.length, number + 1);
    const [ids, owners, state] = [this.ids, this.owners, this.state];
    this.ids = new Int32Array(size);
    this.ids.set(ids);
    this.owners = new Int32Array(2 * size);
    this.owners.set(owners);
    this.state = new Uint8Array(size);
    this.state.set(state);
  }
}
