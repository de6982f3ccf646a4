import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that this process still needs, on its heap and beside it, after all garbage has been collected. */
export async function keptMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // what a finalizer lets go is garbage of the next collection
  for (let times = 0; times < 3; times++) {
    collect();
    await pause(10);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
