import type { Socket } from 'node:net';

/*
 * What a request costs that is done in nobody's turn. Threads of V8 mark what its bytes left behind, and the kernel copies
 * these. Threads of the store write, sort and flush. No clock tells for whom they work, so a request is charged by what it
 * moves:
 *
 *   ms  =  MS_A_MIB · (bytes read + bytes written)  +  MS_A_WRITE, if it writes
 *
 * Both rates were measured with one caller at full load: they are what the process used beyond the time that it charged. Every
 * call uses a quarter more than it is charged, and that is not counted here.
 */

/** Answers of 4 MiB cost 8 ms a MiB, bodies of 2 MiB 9. */
const MS_A_MIB = 8;
/** A put of 5 KB, flushed with those that came in the meantime. */
const MS_A_WRITE = 0.5;

/** What has passed through a connection so far; a request that comes by none has no counters. */
type Passed = Partial<Pick<Socket, 'bytesRead' | 'bytesWritten'>>;

/**
 * @param socket whose request begins now
 * @param isWrite whether the request may write to the store
 * @returns a function that says, in ms of a core, what the request has cost beside its turns until now
 */
export function unseenWork(socket: Passed, isWrite: boolean): () => number {
  const passed = () => (socket.bytesRead ?? 0) + (socket.bytesWritten ?? 0);
  const before = passed();
  return () => ((passed() - before) / 2 ** 20) * MS_A_MIB + (isWrite ? MS_A_WRITE : 0);
}
