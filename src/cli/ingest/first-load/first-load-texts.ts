import type { FirstLoadState } from '../../../client/port.ts';
import { count } from '../../texts.ts';
import type { Phases } from '../tally.ts';

/* Messages about a first load: how far it is, and what is kept of one that did not come to its end. */

/** What it does once all is read, for the line of progress; empty before. */
export function phaseTexts({ phase, done, of, isKept }: FirstLoadState): string[] {
  if (isKept || phase === 'documents') return [];
  if (phase === 'kept') return [`reading what was kept: ${of === null ? count(done) : percent(done, of)}`];
  if (phase === 'rows') return [`writing ${count(done)} rows`];
  return [of === null ? 'sorting' : `sorting ${percent(done, of)}`];
}

const percent = (done: number, of: number): string => `${Math.floor((100 * done) / Math.max(of, 1))} %`;

/** @param phases of reading and handing lines on */
export function phasesWith(phases: Phases, { phasesMs }: FirstLoadState): Phases {
  return { ...phases, sorting: phases.sorting + phasesMs.sorting, writing: phases.writing + phasesMs.writing };
}

export const NOTHING_KEPT =
  'It was the first load of an empty index, of which nothing is kept: either it had not come to a checkpoint, or it read standard input, which cannot be read again. To begin again, run the same command again.';

/** @param read records that the last checkpoint of a first load is sure of */
export const keptText = (read: number): string =>
  `It was the first load of an empty index, and the first ${count(read)} records are kept, which are no index yet. To go on from there, run the same command again.`;

export const goingOnText = (read: number): string =>
  `Going on with the first load that was begun here: ${count(read)} records are taken in already.\n`;
