import { Bell } from '../../sharing/waiting.ts';

/*
 * Many lines at work, answers in the order of the lines.
 *
 *   lines ──▶ reader ──▶ [ line 7 … line 3, line 2 ]  as many as there is room for ──▶ answer 1, answer 0
 *
 * The reader goes on by itself while there is room, and an answer leaves as soon as it is first in the row. So a client
 * that sends a line and waits for its answer gets it. An answer keeps its room until the next one is asked for.
 */

/** How much may be at work at a time. */
export interface Room<L> {
  readonly linesMax: number;
  /** The line with which they are reached is at work too: one of any size has room by itself. */
  readonly bytesMax?: number;
  readonly bytesOf?: (line: L) => number;
}

/**
 * @param answer must not reject: what went wrong with a line is its answer
 * @param atEnd what is to be done after the last answer, where all lines could be read
 * @throws what reading `lines` throws, after the answers to all lines before it, and what `atEnd` throws
 */
export async function* answersInOrder<L, A>(
  lines: AsyncIterable<L>,
  { linesMax, bytesMax = Number.POSITIVE_INFINITY, bytesOf = () => 0 }: Room<L>,
  answer: (line: L) => Promise<A>,
  atEnd?: () => Promise<void>,
): AsyncGenerator<A, void, undefined> {
  const iterator = lines[Symbol.asyncIterator]();
  const inFlight: { readonly answer: Promise<A>; readonly bytes: number }[] = [];
  let bytesInFlight = 0;
  const [room, first] = [new Bell(), new Bell()];
  let stopped = false;
  let ended = false;
  let broken: { readonly error: unknown } | null = null;

  async function readAll(): Promise<void> {
    try {
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        while ((inFlight.length >= linesMax || bytesInFlight >= bytesMax) && !stopped) await room.next();
        if (stopped) return;
        const bytes = bytesOf(next.value);
        bytesInFlight += bytes;
        inFlight.push({ answer: answer(next.value), bytes });
        first.ring();
      }
    } catch (error) {
      broken = { error };
    } finally {
      ended = true;
      first.ring();
    }
  }

  void readAll();
  try {
    for (;;) {
      while (inFlight.length === 0 && !ended) await first.next();
      if (inFlight.length === 0) break;
      // waits for it by itself
      yield inFlight[0]!.answer;
      bytesInFlight -= inFlight.shift()!.bytes;
      room.ring();
    }
    if (broken !== null) throw (broken as { readonly error: unknown }).error;
    await atEnd?.();
  } finally {
    stopped = true;
    room.ring();
    // not awaited: a source that waits for its next line ends only then
    if (!ended) void iterator.return?.().catch(() => {});
  }
}
