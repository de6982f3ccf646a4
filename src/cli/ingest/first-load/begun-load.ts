import type { FillAccess, FirstLoadState } from '../../../client/port.ts';
import { ShingledError } from '../../../errors.ts';
import { differenceOf, type LoadState, type LoadSubject } from '../state-file.ts';

/*
 * What a first load keeps of a command with its checkpoints (store/level/load), so that the same command goes on: what a state
 * file says, and of what. It lies in the folder of the index, with what was taken in, so neither is ever without the other.
 */

export interface BegunSubject extends LoadSubject {
  /** The file that names what was refused; null where none does. */
  readonly errors: string | null;
  /** The file that keeps the progress, beside which the listing of folders lies; null where none does. */
  readonly state: string | null;
}

/** What a checkpoint is sure of. */
export interface BegunState extends LoadState {
  /** Whether nothing is left to be read. */
  readonly isAtEnd: boolean;
}

/** Null if an input can be read only once, as standard input: then no command can go on. */
export const begunNotes = (subject: BegunSubject): ((sure: BegunState) => string) | null =>
  subject.inputs.some(({ kind }) => kind === 'stream') ? null : (sure) => JSON.stringify({ ...sure, ...subject });

/**
 * How far the first load came that was begun in the folder of the index; null where none was.
 *
 * @throws ShingledError `load-unfinished` where another command began it
 */
export function begunState({ firstLoad }: FillAccess, subject: BegunSubject): BegunState | null {
  if (firstLoad === undefined || firstLoad.note === null) return null;
  const { inputs, fields, errors, state, ...sure } = parsed(firstLoad.note);
  const ofErrors = errors === null ? 'had no file of --errors' : `named refusals in ${errors} (--errors)`;
  const ofState = state === null ? 'had no --state' : `kept its progress in ${state} (--state)`;
  const difference =
    differenceOf({ inputs, fields }, subject) ??
    (errors === subject.errors ? null : ofErrors) ??
    (state === subject.state ? null : ofState);
  if (difference === null) return sure;
  const detail = `A first load was begun here, which this command cannot go on with: it ${difference}.`;
  const ways = [
    'To go on with it, run the command that began it, with inputs as they were.',
    `To throw it away and begin again, delete ${firstLoad.folder}.`,
  ];
  throw new ShingledError('load-unfinished', [detail, ...ways].join('\n'));
}

/** Records that are kept of a first load that has not come to its end; null where nothing is. */
export const keptOf = ({ note }: FirstLoadState): BegunState | null => (note === null ? null : parsed(note));

const parsed = (note: string) => JSON.parse(note) as BegunState & BegunSubject;
