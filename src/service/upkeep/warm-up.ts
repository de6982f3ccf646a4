import { textBody } from '../../features/sent-text.ts';
import { Deadline, endsWithin } from '../../sharing/deadline.ts';
import { Latch } from '../../sharing/waiting.ts';
import type { Store } from '../../store/port.ts';
import type { Access, DocumentReference, MatchOptions } from '../api.ts';
import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';

/*
 * What the first callers would wait for, done while the service already answers, and before it says that it is ready.
 *
 *   listening
 *   images         the store makes what it keeps in memory: without it, each posting list is a read of LevelDB
 *   questions      about documents of the index, and about texts of no meaning: V8 compiles what answers them. They come
 *                  second, since with images other code answers
 *   ready
 */

/** An index with fewer documents is fast at once. */
export const WARM_UP_DOCUMENTS_LEAST = 10_000;
/** Images of ten million documents take longer; a restart must not take minutes. */
const IMAGES_MS_MAX = 15_000;
/** V8 compiles what has run some hundred times. */
const QUESTIONS = 800;
const QUESTIONS_MS_MAX = 5_000;
/** A query thread is asked only if several ask at once. */
const AT_ONCE = 4;
const TEXT_WORDS = 200;
const ACCESS: Access = { caller: 'warm-up', mayFetch: false };

export interface WarmUpParts {
  readonly store: Pick<Store, 'sourceUrls' | 'warm'>;
  readonly similar: (reference: DocumentReference, options: MatchOptions, access: Access) => Promise<unknown>;
}

export function createWarmUp({ store, similar }: WarmUpParts) {
  const stopped = new Latch();
  let running: Promise<void> = Promise.resolve();

  async function askAll(): Promise<void> {
    // without URLs there are texts
    const { urls } = await store.sourceUrls({ limit: QUESTIONS / 2 }).catch(() => ({ urls: [] }));
    const time = new Deadline(QUESTIONS_MS_MAX);
    let asked = 0;
    const ask = async () => {
      while (asked < QUESTIONS && !time.passed && stopped.ahead !== null) {
        // a document may be forgotten meanwhile; whatever else fails is told to those who ask for it
        await similar(referenceOf(asked++, urls), DEFAULT_MATCH_OPTIONS, ACCESS).catch(() => null);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  }

  async function run(): Promise<void> {
    await endsWithin(IMAGES_MS_MAX, Promise.race([store.warm(), stopped.ahead]));
    await askAll();
  }

  return {
    /** Resolves when the service is as fast as it becomes, after 20 s at the latest, or when it is stopped. Never throws. */
    run(): Promise<void> {
      running = run();
      return running;
    },
    /** Asks no more, and waits for what is under way. */
    async stop(): Promise<void> {
      stopped.happen();
      await running;
    },
  };
}

function referenceOf(index: number, urls: readonly string[]): DocumentReference {
  const known = index % 2 === 0 ? urls[(index / 2) % urls.length] : undefined;
  return {
    url: known ?? null,
    body: known === undefined ? textBody(textOf(index)) : null,
    ...{ select: null, remove: null, at: null },
  };
}

/** Words that differ from text to text and are of no language. */
const textOf = (index: number) =>
  Array.from({ length: TEXT_WORDS }, (_, at) => `w${(index * TEXT_WORDS + at * at).toString(36)}`).join(' ');
