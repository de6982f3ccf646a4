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

/**
 * `json` is bytes if the answer is long: these are handed over, and not copied. It is null if the thread could not answer; the
 * main thread then answers itself.
 */
export type AnswerMessage = readonly [
  id: number,
  json: string | Uint8Array<ArrayBuffer> | null,
  brief: unknown,
  worked: WorkedFor,
];

/** For which callers the thread has worked since its last message, and how long, in ms. */
export type WorkedFor = ReadonlyMap<string, number>;

/** Everything else: told by the store's feed, and these two. */
export interface Cancelled {
  readonly cancelled: number;
}
export const CLOSE = 'close';
/** The first that a thread says. */
export const READY = 'ready';
