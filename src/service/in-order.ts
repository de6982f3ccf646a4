/*
 * Many lines at work, answers in the order of the lines.
 *
 *   lines ──▶ reader ──▶ [ line 7 … line 3, line 2 ]  at most `inFlightMax` ──▶ answer 1, answer 0
 *
 * The reader goes on by itself while there is room, and an answer leaves as soon as it is first in the row: a client that
 * sends a line and waits for its answer gets it. An answer keeps its room until the next one is asked for.
 */

/**
 * @param answer must not reject: what went wrong with a line is its answer
 * @throws what reading `lines` throws, after the answers to all lines before it
 */
export async function* answersInOrder<L, A>(
  lines: AsyncIterable<L>,
  inFlightMax: number,
  answer: (line: L) => Promise<A>,
): AsyncGenerator<A, void, undefined> {
  const iterator = lines[Symbol.asyncIterator]();
  const inFlight: Promise<A>[] = [];
  const [room, first] = [createSignal(), createSignal()];
  let stopped = false;
  let ended = false;
  let broken: { readonly error: unknown } | null = null;

  async function readAll(): Promise<void> {
    try {
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        while (inFlight.length >= inFlightMax && !stopped) await room.given();
        if (stopped) return;
        inFlight.push(answer(next.value));
        first.give();
      }
    } catch (error) {
      broken = { error };
    } finally {
      ended = true;
      first.give();
    }
  }

  void readAll();
  try {
    for (;;) {
      while (inFlight.length === 0 && !ended) await first.given();
      if (inFlight.length === 0) break;
      yield await inFlight[0]!;
      void inFlight.shift();
      room.give();
    }
    if (broken !== null) throw (broken as { readonly error: unknown }).error;
  } finally {
    stopped = true;
    room.give();
    // not awaited: a source that waits for its next line ends only then
    if (!ended) void iterator.return?.().catch(() => {});
  }
}

/** Wakes the one that waits for it. */
function createSignal(): { readonly given: () => Promise<void>; readonly give: () => void } {
  let wake = () => {};
  return {
    given: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    give: () => wake(),
  };
}
