import { type HostTemplate, hostTemplateSteps } from '../core/template/host-template.ts';
import type { Deadline } from '../sharing/deadline.ts';
import { inTurns, type Turns, turnsUntil } from '../sharing/turns.ts';
import type { Content, ReadStore } from '../store/port.ts';
import type { LimitReached } from './api.ts';

/*
 * Templates of hosts, made when they are asked for (core/template/host-template.ts), and kept while the contents that stand for
 * the host are the same.
 *
 *   host ── store: which contents stand for it ── the ones of before ──► what is kept
 *                                              └─ others: read, made, kept
 *
 * So a template is always that of the index as it is. A caller that asks for one while it is being made waits for it. If some
 * contents of a host cannot be read, the template is made from the others, and the answer says so.
 */

/** 4,000 hosts of ordinary pages: 150 values each, and what holds them. Each thread that answers has as much. */
export const TEMPLATES_BYTES_MAX = 8 * 2 ** 20;
/** Of a template beside its values: the names of its contents, the objects, or that there is none. */
const TEMPLATE_BYTES = 700;

/** Sets of features have nothing in common with pages. */
const hasWords = ({ tokenCount }: Content) => tokenCount > 0;

interface Kept {
  readonly sample: string;
  readonly template: HostTemplate | null;
  /** Whether contents were left out that could not be read. */
  readonly isCut: boolean;
  readonly bytes: number;
}

/** What it takes to read a template, and until when it is wanted. */
export interface Asking {
  readonly store: Pick<ReadStore, 'hostContents'>;
  readonly turns: Turns;
  readonly deadline: Deadline;
  /** Called if some contents of the host cannot be read, so that its template lacks them. */
  readonly onCut?: (() => void) | undefined;
}

/** What pages of a host have in common; null if fewer than three of its pages differ, or if there is no host. */
export interface TemplateReader {
  /**
   * @param host as normalised URLs name it (service/url.ts); null for a name, which has none
   * @throws the error of the deadline
   */
  templateOf(host: string | null, asking: Asking): Promise<HostTemplate | null>;
}

/** The templates that one answer rests on, each read once. */
export class AnswerTemplates implements TemplateReader {
  readonly #reader: TemplateReader;
  readonly #byHost = new Map<string, Promise<HostTemplate | null>>();
  readonly #cut = new Set<string>();

  constructor(reader: TemplateReader) {
    this.#reader = reader;
  }

  templateOf(host: string | null, asking: Asking): Promise<HostTemplate | null> {
    if (host === null) return Promise.resolve(null);
    let template = this.#byHost.get(host);
    if (template === undefined) {
      template = this.#reader.templateOf(host, { ...asking, onCut: () => this.#cut.add(host) });
      this.#byHost.set(host, template);
      // one that was not read in time may be read for a later part of the answer
      template.catch(() => this.#byHost.delete(host));
    }
    return template;
  }

  get isCut(): boolean {
    return this.#cut.size > 0;
  }

  /** How many of the hosts that were asked for have contents that could not be read. */
  get limits(): LimitReached[] {
    return this.isCut ? [{ code: 'template', affected: this.#cut.size, of: this.#byHost.size }] : [];
  }
}

export class Templates implements TemplateReader {
  private readonly bytesMax: number;
  private readonly kept = new Map<string, Kept>();
  private readonly making = new Map<string, Promise<HostTemplate | null>>();
  private keptBytes = 0;

  constructor(bytesMax = TEMPLATES_BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.keptBytes;
  }

  async templateOf(host: string | null, { store, turns, deadline, onCut }: Asking): Promise<HostTemplate | null> {
    if (host === null) return null;
    const before = this.kept.get(host);
    const { sample, contents, unreadable } = await deadline.race(store.hostContents(host, before?.sample ?? null));
    const isCut = unreadable > 0 || (contents === null && before!.isCut);
    if (isCut) onCut?.();
    if (contents === null) {
      this.keep(host, sample, before!.template, isCut);
      return before!.template;
    }
    const name = `${host} ${sample}`;
    for (let begun = this.making.get(name); begun !== undefined; begun = this.making.get(name)) {
      const made = await deadline.race(begun.catch(() => undefined));
      // else whoever made it was stopped
      if (made !== undefined) return made;
    }
    const made = inTurns(hostTemplateSteps(contents.filter(hasWords)), turnsUntil(deadline, turns));
    this.making.set(name, made);
    try {
      const template = await made;
      // a record that is read later keeps its number
      if (contents.every(({ main }) => main !== 'not-read')) this.keep(host, sample, template, isCut);
      return template;
    } finally {
      this.making.delete(name);
    }
  }

  private keep(host: string, sample: string, template: HostTemplate | null, isCut: boolean): void {
    this.keptBytes -= this.kept.get(host)?.bytes ?? 0;
    this.kept.delete(host);
    const bytes = TEMPLATE_BYTES + host.length + (template?.values.byteLength ?? 0);
    if (bytes > this.bytesMax) return;
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (this.keptBytes + bytes <= this.bytesMax) break;
      this.kept.delete(oldest);
      this.keptBytes -= freed;
    }
    this.kept.set(host, { sample, template, isCut, bytes });
    this.keptBytes += bytes;
  }
}
