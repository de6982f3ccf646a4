import type { Selection } from '../../service/api.ts';
import { type Given, UsageError } from '../command.ts';

/** Options that say which documents are meant: those for which all that is given holds. */
export const SELECTION_OPTIONS = {
  host: 'only documents of this host',
  subdomains: 'and of hosts below it',
  prefix: 'only those whose URL begins with this',
  from: 'only those observed then or later, such as 2026-01-02',
  to: 'only those observed earlier',
  meta: 'only those whose meta says this; again for more',
  'known-as': 'only those that are live, or gone',
} as const;

/** @throws UsageError for what selects nothing */
export function selectionOf(given: Given): Selection {
  const state = given.text('known-as');
  if (state !== null && state !== 'live' && state !== 'gone') {
    throw new UsageError(`--known-as is live or gone: "${state}" is neither`);
  }
  if (given.has('subdomains') && given.text('host') === null) throw new UsageError('--subdomains goes with --host');
  const pairs = given.texts('meta').map(pairOf);
  return {
    host: given.text('host') ?? undefined,
    subdomains: given.has('subdomains') || undefined,
    prefix: given.text('prefix') ?? undefined,
    observedFrom: timeOf(given, 'from'),
    observedTo: timeOf(given, 'to'),
    meta: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    state: state ?? undefined,
  };
}

/** Whether all documents are meant. */
export const isEverything = (selection: Selection): boolean =>
  Object.values(selection).every((value) => value === undefined);

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--meta is a key and its value, such as crawl=spring: "${text}" is not`);
}

function timeOf(given: Given, name: 'from' | 'to'): number | undefined {
  const text = given.text(name);
  if (text === null) return undefined;
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (ms >= 0) return ms;
  throw new UsageError(`--${name} is a day or a time from 1970 on, such as 2026-01-02T03:04:05Z: "${text}" is none`);
}
