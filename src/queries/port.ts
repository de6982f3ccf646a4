import type { WrittenJson } from '../json/written-json.ts';
import type { Deadline } from '../sharing/deadline.ts';

/*
 * Questions for query threads: text in, text out. A thread reads the index and nothing else. It says the answer, or
 * nothing: whatever it cannot answer, whoever asked answers by himself.
 */

/** Plain texts: a message of these takes neither thread long, while an object costs both by the field. */
export interface Question {
  readonly kind: QuestionKind;
  /** JSON that most questions have letter by letter: who has read it before knows it. */
  readonly asked: string;
  /** What else is asked, of each another. */
  readonly about: readonly (string | number | null)[];
  /** Bytes of a document as a Latin-1 text; null where there is none. */
  readonly body: string | null;
}

export type QuestionKind = 'similar';

export interface Answered {
  /** The answer as it is sent. */
  readonly json: WrittenJson;
  /** What else is told of it, for metrics and the log. Plain data. */
  readonly brief: unknown;
}

export interface Asker {
  readonly caller: string;
  readonly deadline: Deadline;
}

/** The threads, seen from the event loop. */
export interface QueryPool {
  /**
   * Null at once where no thread would answer sooner than whoever asks, and later where it could not.
   *
   * @throws (the promise) the deadline's error
   */
  ask(question: Question, asker: Asker): Promise<Answered | null> | null;
}
