import type { Selection } from '../../service/api.ts';
import { type Given, UsageError } from '../command.ts';
import { choiceOf, pairOf, timeOf } from '../option-values.ts';

/** Options that say which documents are meant: those for which all that is given holds. */
export const SELECTION_OPTIONS = {
  host: 'only documents of this host',
  subdomains: 'and documents of its subdomains',
  prefix: 'only documents whose URL begins with this',
  from: 'only documents seen at this time or later, such as 2026-01-02',
  to: 'only documents seen before this time',
  meta: 'only documents with this meta; may be repeated',
  'known-as': 'only documents that are live, or only those that are gone',
} as const;

/** @throws UsageError for what selects nothing */
export function selectionOf(given: Given): Selection {
  const state = given.text('known-as') === null ? undefined : choiceOf(given, 'known-as', ['live', 'gone'], 'live');
  if (given.has('subdomains') && given.text('host') === null) throw new UsageError('--subdomains needs --host');
  const pairs = given.texts('meta').map((text) => pairOf(text, 'meta'));
  return {
    host: given.text('host') ?? undefined,
    subdomains: given.has('subdomains') || undefined,
    prefix: given.text('prefix') ?? undefined,
    observedFrom: timeOf(given, 'from'),
    observedTo: timeOf(given, 'to'),
    meta: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    state,
  };
}

/** Whether all documents are meant. */
export const isEverything = (selection: Selection): boolean =>
  Object.values(selection).every((value) => value === undefined);
