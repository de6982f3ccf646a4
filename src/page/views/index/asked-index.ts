import type { HostsAnswer, ListAnswer, Ready, StatsAnswer } from 'shingled/types';
import { getFrom, Refusal, withQuery } from '../../asking/ask-service.ts';

/* What is in the index: its figures, its hosts, and its documents. */

export interface AskedFigures {
  readonly stats: StatsAnswer;
  readonly ready: Ready | null;
}

export interface AskedList {
  readonly hosts: HostsAnswer;
  readonly list: ListAnswer;
  /** What it was asked by. */
  readonly selection: Selection;
}

export type Selection = Readonly<Record<'host' | 'prefix', string | null>>;

const ROWS = 100;

export async function askFigures(signal: AbortSignal): Promise<AskedFigures> {
  const stats = getFrom<StatsAnswer>('stats', signal);
  // 503 where it is not ready, and that is told in the same form
  const ready = getFrom<Ready>('health/ready', signal).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  const [told, health] = await Promise.all([stats, ready]);
  return { stats: told, ready: health };
}

/** A host by its name, anything with a scheme as the beginning of URLs; nothing for all. */
export function selectionOf(text: string): Selection {
  const words = text.trim();
  if (words === '') return { host: null, prefix: null };
  return /^[a-z][a-z0-9+.-]*:(?!\d+$)/i.test(words) ? { host: null, prefix: words } : { host: words, prefix: null };
}

export async function askList(selection: Selection, signal: AbortSignal): Promise<AskedList> {
  const values = { ...selection, ...(selection.host === null ? {} : { subdomains: true }), limit: ROWS };
  const [hosts, list] = await Promise.all([
    getFrom<HostsAnswer>(withQuery('documents/hosts', values), signal),
    getFrom<ListAnswer>(withQuery('documents/list', values), signal),
  ]);
  return { hosts, list, selection };
}

/** The next page of documents behind those that are there. */
export async function askMoreDocuments(before: AskedList, signal: AbortSignal): Promise<AskedList> {
  const { selection, list } = before;
  const values = { ...selection, ...(selection.host === null ? {} : { subdomains: true }), limit: ROWS };
  const next = await getFrom<ListAnswer>(withQuery('documents/list', { ...values, cursor: list.cursor }), signal);
  return { ...before, list: { ...next, documents: [...list.documents, ...next.documents] } };
}
