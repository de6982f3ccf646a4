/** Takes parts, by a number that threads share, while any is left. */
export function* tickets(next: Int32Array, end: number): Generator<number, void, undefined> {
  for (let ticket = Atomics.add(next, 0, 1); ticket < end; ticket = Atomics.add(next, 0, 1)) yield ticket;
}

export const newTickets = () => new Int32Array(new SharedArrayBuffer(4));

/** How many of these parts were taken, by the last look. */
export const takenOf = (next: Int32Array, end: number): number => Math.min(end, Atomics.load(next, 0));
