/*
 * Many lines at work, answers in the order of the lines.
 *
 *   lines ──▶ [ line 7 … line 3, line 2 ]  at most `inFlightMax` at a time ──▶ answer 1, answer 0
 *
 * A new line is read as soon as there is room, and an answer leaves as soon as it is first in the row, whichever comes
 * first: a client that sends a line and waits for its answer gets it.
 */

type Read<L> =
  | { readonly kind: 'line'; readonly line: L }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken'; readonly error: unknown };

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
  let reading: Promise<Read<L>> | null = read(iterator);
  try {
    while (reading !== null || inFlight.length > 0) {
      const first = inFlight[0];
      if (
        first === undefined ||
        (reading !== null && inFlight.length < inFlightMax && !(await comesFirst(first, reading)))
      ) {
        const next: Read<L> = await reading!;
        if (next.kind === 'broken') {
          for (const promise of inFlight) yield await promise;
          throw next.error;
        }
        if (next.kind === 'line') inFlight.push(answer(next.line));
        reading = next.kind === 'line' ? read(iterator) : null;
      } else {
        yield await first;
        void inFlight.shift();
      }
    }
  } finally {
    // not awaited: a source that waits for its next line ends only then
    if (reading !== null) void iterator.return?.().catch(() => {});
  }
}

async function read<L>(iterator: AsyncIterator<L>): Promise<Read<L>> {
  try {
    const next = await iterator.next();
    return next.done === true ? { kind: 'end' } : { kind: 'line', line: next.value };
  } catch (error) {
    return { kind: 'broken', error };
  }
}

function comesFirst(answer: Promise<unknown>, reading: Promise<unknown>): Promise<boolean> {
  return Promise.race([answer.then(() => true), reading.then(() => false)]);
}
