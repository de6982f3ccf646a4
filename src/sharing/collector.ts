import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Memory that threads share V8 gives back with the last object that has it, but does not count it. So a thread that makes
 * little garbage of its own is made to collect: 5 to 20 ms.
 */

let collect: (() => void) | undefined;

/** Collects all garbage of this thread, at once. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/**
 * V8's own, which it shows to contexts that are made while this flag is set. All threads have one flag: another may have unset
 * it.
 */
function collector(): () => void {
  for (;;) {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('globalThis.gc') as (() => void) | undefined;
    setFlagsFromString('--no-expose-gc');
    if (gc !== undefined) return gc;
  }
}
