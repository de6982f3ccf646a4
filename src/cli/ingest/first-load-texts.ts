import type { FirstLoadState } from '../../client/port.ts';
import { count } from '../texts.ts';
import type { Phases } from './tally.ts';

/* What is told of a first load: where it is, and what is left of one that did not come to its end. */

/** What it does once all is read, for the line of progress; empty before. */
export function phaseTexts({ phase, done, of, isKept }: FirstLoadState): string[] {
  if (isKept || phase === 'documents') return [];
  if (phase === 'rows') return [`writing ${count(done)} rows`];
  return [of === null ? 'sorting' : `sorting ${Math.floor((100 * done) / Math.max(of, 1))} %`];
}

/** @param phases of reading and handing lines on */
export function phasesWith(phases: Phases, { phasesMs }: FirstLoadState): Phases {
  return { ...phases, sorting: phases.sorting + phasesMs.sorting, writing: phases.writing + phasesMs.writing };
}

export const NOTHING_KEPT =
  'It was the first load of an empty index, which is as it was: nothing is kept of a first load before its end. To begin anew, run the same command again.';
