import type { Buffer } from 'node:buffer';
import type { Span } from '../../port.ts';
import { allFields, HEAD_BYTES_MAX, type RecordForm } from '../../warc/record-head.ts';
import { isOfDocument } from '../../warc/record-meaning.ts';
import { type ArchiveFormat, formOf } from '../../warc/warc.ts';
import type { Copier, MemberOutput, ReadBytes } from '../port.ts';
import { type CopyParts, isCopied } from './copy-lines.ts';
import type { Stretch } from './tape.ts';

/*
 * The records of an archive, whole. Of those that may be documents it is asked which are kept. Others stay, but for those of
 * a document that goes: its request, what is said of it, its further segments. They name it, or it names them, and they lie
 * near it:
 *
 *   warcinfo │ request r ◄── response names r │ metadata names the response │ request ─► …
 *              waits until its document is decided
 *
 * Where the output is packed as the file is, and a record is a member or some, these are copied as they lie there.
 */

/** Records that wait for their document at a time: writers have one to three. */
const WAITING_MAX = 32;
/** Of so many documents that went the ids are known: what belongs to one comes soon behind it. */
const GONE_MAX = 65_536;

interface Ids {
  readonly own: string | null;
  /** Of records that it belongs to. */
  readonly others: readonly string[];
}

interface Waiting {
  readonly span: Span;
  readonly members: Stretch | null;
  readonly ids: Ids;
}

export interface WarcParts extends CopyParts {
  readonly format: ArchiveFormat;
  /** Where members may be copied as they lie in the file. */
  readonly members: { readonly output: MemberOutput; readonly read: ReadBytes } | null;
}

export class WarcCopier implements Copier {
  readonly #parts: WarcParts;
  readonly #gone = new Set<string>();
  #waiting: Waiting[] = [];
  /** Members that are to be copied, to which the next ones may be added. */
  #stretch: Stretch | null = null;

  constructor(parts: WarcParts) {
    this.#parts = parts;
  }

  async take(span: Span, record: number, isDamaged: boolean): Promise<void> {
    const { tape, members, done, format } = this.#parts;
    const { ids, isDocument } = isDamaged
      ? UNKNOWN
      : kindOf(formOf(format), await tape.read(span.start, HEAD_BYTES_MAX));
    const one = { span, ids, members: members === null ? null : tape.membersOf(span.start, span.end) };
    if (!isDocument) {
      done.records++;
      if (ids.others.some((id) => this.#gone.has(id))) {
        await this.#decide(0, null);
        await this.#leaveOut(one);
      } else {
        this.#waiting.push(one);
        await this.#decide(WAITING_MAX, null);
      }
      return;
    }
    const isKept = isCopied(this.#parts, span, record);
    await this.#decide(0, isKept ? null : ids);
    if (isKept) await this.#copy(one);
    else await tape.skipTo(span.end);
    if (!isKept && ids.own !== null) this.#noteGone(ids.own);
  }

  async end(): Promise<void> {
    await this.#decide(0, null);
    this.#endStretch();
  }

  /** Copies what waits, but for so many of the last ones, and for those of a document that goes. */
  async #decide(leftCount: number, gone: Ids | null): Promise<void> {
    const { done } = this.#parts;
    for (const one of this.#waiting.splice(0, Math.max(0, this.#waiting.length - leftCount))) {
      if (gone !== null && belongs(one.ids, gone)) await this.#leaveOut(one);
      else {
        done.copied++;
        await this.#copy(one);
      }
    }
  }

  async #leaveOut({ span }: Waiting): Promise<void> {
    this.#parts.done.leftOut++;
    await this.#parts.tape.skipTo(span.end);
  }

  async #copy({ span, members }: Waiting): Promise<void> {
    const { tape, output } = this.#parts;
    if (members === null) {
      this.#endStretch();
      await tape.copyTo(span.end, output);
      output.endRecord();
      return;
    }
    await tape.skipTo(span.end);
    const before = this.#stretch;
    if (before?.to === members.from) this.#stretch = { from: before.from, to: members.to };
    else {
      this.#endStretch();
      this.#stretch = members;
    }
  }

  #endStretch(): void {
    const { members } = this.#parts;
    if (this.#stretch !== null) members?.output.addMembers(members.read, this.#stretch.from, this.#stretch.to);
    this.#stretch = null;
  }

  #noteGone(id: string): void {
    if (this.#gone.size >= GONE_MAX) this.#gone.delete(this.#gone.values().next().value!);
    this.#gone.add(id);
  }
}

interface Kind {
  readonly ids: Ids;
  readonly isDocument: boolean;
}

const UNKNOWN: Kind = { ids: { own: null, others: [] }, isDocument: true };

/** What its first bytes say of a record: what it is called, and for which others it is made. */
function kindOf(form: RecordForm, bytes: Buffer): Kind {
  const block = bytes.subarray(0, form.headEnd(bytes) ?? 0);
  const head = form.parse(block);
  if (typeof head === 'string') return UNKNOWN;
  const isAbout = head.fields.get('warc-type')?.toLowerCase() === 'metadata';
  const names = isAbout ? [...LINKS, 'warc-refers-to'] : LINKS;
  const others = allFields(block).filter(([name]) => names.includes(name));
  const ids = { own: head.fields.get('warc-record-id') ?? null, others: others.map(([, id]) => id) };
  return { ids, isDocument: isOfDocument(head) };
}

const LINKS = ['warc-concurrent-to', 'warc-segment-origin-id'];

const belongs = (ids: Ids, gone: Ids) =>
  (gone.own !== null && ids.others.includes(gone.own)) || (ids.own !== null && gone.others.includes(ids.own));
