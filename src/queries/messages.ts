import type { Question } from './port.ts';

/*
 * What passes between the event loop and a query thread. Tuples, since a message of them is cloned in a third of the time that
 * objects take.
 */

/** @param msLeft until nobody waits any longer */
export type QuestionMessage = readonly [
  id: number,
  kind: Question['kind'],
  asked: string,
  about: Question['about'],
  body: string | null,
  caller: string,
  msLeft: number,
];

/** null: it says nothing. `ms`: how long the thread was at work for it, about. */
export type AnswerMessage = readonly [id: number, json: string | null, brief: unknown, worked: WorkedFor];

/** Whom the thread has worked for since it last said so, and how long, ms. */
export type WorkedFor = ReadonlyMap<string, number>;

/** Everything else: told by the store's feed, and these two. */
export interface Cancelled {
  readonly cancelled: number;
}
export const CLOSE = 'close';
/** The first that a thread says. */
export const READY = 'ready';
