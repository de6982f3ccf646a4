import { Accounts } from '../../sharing/accounts.ts';
import { FairLine, type Waiter } from '../../sharing/line.ts';

/*
 * The time of a thread, shared among the callers whose questions it has: a slice goes to the caller who has had least of it.
 *
 *   a   ████████████████  large       a ▸ b b ▸ a ▸ a ▸ c ▸ a …        nobody waits for the whole of a large question, except
 *   b   ▪ ▪               small                                        who asked it: of one caller they are answered in order
 *   c   ▪
 */

/** Longer than most questions take, so that they are not interrupted; short beside what a small one may wait. */
const SLICE_MS = 10;

export interface SharedQuestion<T> extends Waiter {
  readonly id: number;
  /** Begins to answer: in steps of a few ms. Called again where the answering {@link SharedTime.beginAgain | begins again}. */
  readonly begin: () => Generator<undefined, T>;
}

export interface Slice<T> extends Waiter {
  readonly id: number;
  readonly ms: number;
  /** null: there is more to do. */
  readonly result: { readonly value: T } | { readonly fault: unknown } | null;
}

interface Begun<T> extends SharedQuestion<T> {
  steps: Generator<undefined, T> | null;
}

export class SharedTime<T> {
  readonly #now: () => number;
  readonly #accounts = new Accounts();
  readonly #line = new FairLine<Begun<T>>((caller) => this.#accounts.of(caller));
  readonly #byId = new Map<number, Begun<T>>();

  /** @param now ms of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get length(): number {
    return this.#line.length;
  }

  add(question: SharedQuestion<T>): void {
    const begun = { ...question, steps: null };
    this.#byId.set(question.id, begun);
    this.#line.push(begun);
  }

  /** Nobody wants the answer any more. Does nothing where it was given. */
  drop(id: number): void {
    const question = this.#byId.get(id);
    if (question === undefined) return;
    this.#byId.delete(id);
    this.#line.delete(question);
  }

  /** What was begun is begun again. */
  beginAgain(): void {
    for (const question of this.#byId.values()) question.steps = null;
  }

  /** Works for a slice on the question that is next. @returns null where there is none */
  work(): Slice<T> | null {
    const question = this.#line.first();
    if (question === undefined) return null;
    const startedAt = this.#now();
    const result = this.#advance(question, startedAt + SLICE_MS);
    const ms = this.#now() - startedAt;
    this.#accounts.serve(question.caller, ms);
    if (result !== null) {
      this.#byId.delete(question.id);
      this.#line.shift(question);
    }
    return { id: question.id, caller: question.caller, ms, result };
  }

  #advance(question: Begun<T>, until: number): Slice<T>['result'] {
    try {
      question.steps ??= question.begin();
      for (;;) {
        const { done, value } = question.steps.next();
        if (done === true) return { value };
        if (this.#now() >= until) return null;
      }
    } catch (fault) {
      return { fault };
    }
  }
}
