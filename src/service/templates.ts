import { type HostTemplate, hostTemplateSteps } from '../core/template/host-template.ts';
import type { Deadline } from '../sharing/deadline.ts';
import { inTurns, type Turns, turnsUntil } from '../sharing/turns.ts';
import type { Content, ReadStore } from '../store/port.ts';

/*
 * Templates of hosts, made when they are asked for (core/template/host-template.ts), and kept while the contents that stand for
 * the host are the same.
 *
 *   host ── store: which contents stand for it ── the ones of before ──► what is kept
 *                                              └─ others: read, made, kept
 *
 * So a template is always that of the index as it is. Who asks for the same one while it is made waits for it.
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
  readonly bytes: number;
}

/** Who asks, and until when. */
export interface Asking {
  readonly store: Pick<ReadStore, 'hostContents'>;
  readonly turns: Turns;
  readonly deadline: Deadline;
}

export class Templates {
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

  /**
   * What the pages of a host have in common: null if fewer than three of its pages differ, or `host` is null.
   *
   * @param host as normalised URLs name it (service/url.ts); null for a name, which has none
   * @throws the error of the deadline
   */
  async templateOf(host: string | null, { store, turns, deadline }: Asking): Promise<HostTemplate | null> {
    if (host === null) return null;
    const before = this.kept.get(host);
    const { sample, contents } = await deadline.race(store.hostContents(host, before?.sample ?? null));
    if (contents === null) {
      this.keep(host, sample, before!.template);
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
      if (contents.every(({ main }) => main !== 'not-read')) this.keep(host, sample, template);
      return template;
    } finally {
      this.making.delete(name);
    }
  }

  private keep(host: string, sample: string, template: HostTemplate | null): void {
    this.keptBytes -= this.kept.get(host)?.bytes ?? 0;
    this.kept.delete(host);
    const bytes = TEMPLATE_BYTES + host.length + (template?.values.byteLength ?? 0);
    if (bytes > this.bytesMax) return;
    for (const [oldest, { bytes: freed }] of this.kept) {
      if (this.keptBytes + bytes <= this.bytesMax) break;
      this.kept.delete(oldest);
      this.keptBytes -= freed;
    }
    this.kept.set(host, { sample, template, bytes });
    this.keptBytes += bytes;
  }
}
