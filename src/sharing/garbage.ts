import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Garbage of a process that works through files: how much of it lies before V8 looks for all, and how little outlives its time.
 *
 * By itself V8 looks for all of it after every 64 MB that were allocated beside its heap. Each time takes as long as to load
 * hundreds of documents. With room for garbage:
 *
 *   next collection at   live · (1 + percent / 100) = live + room        percent = 100 · room / live, after each collection
 *
 * Cost: one message to JavaScript a collection, and the memory of the room.
 */

const PERCENT_MIN = 1;

/** @param roomBytes of garbage, about, on the thread that asks and in all of its process @returns V8 goes on by itself */
export function giveGarbageRoom(roomBytes: number): () => void {
  const adjust = () => {
    const { used_heap_size: heap, external_memory: beside } = getHeapStatistics();
    const percent = Math.max(PERCENT_MIN, Math.round((100 * roomBytes) / (heap + beside)));
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  };
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some((entry) => isMajor(entry))) adjust();
  });
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  adjust();
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
    setFlagsFromString('--no-external-memory-accounted-in-global-limit');
    setFlagsFromString('--heap-growing-percent=0');
  };
}

const isMajor = (entry: object) =>
  (entry as { readonly detail: NodeGCPerformanceDetail }).detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/**
 * Empties an array that has passed between steps of a pipeline, once nobody needs it.
 *
 * A promise or a list that waits for results may outlive a collection of young objects. V8 moves it to the old ones then. There
 * it keeps what is put into it later until the next full collection, although it is dead. Of the documents of a first load
 * that was a quarter of all that was allocated. An empty array keeps nothing.
 */
export function letGo(array: unknown[]): void {
  array.length = 0;
}

/*
 * Memory that threads share V8 gives back with the last object that has it, but does not count it. So a thread that makes
 * little garbage of its own is made to collect: 5 to 20 ms.
 */

/** Less than that is not worth the time. */
const LEFT_BYTES_MAX = 2 ** 20;

let collect: (() => void) | undefined;
let bytesLeft = 0;

/** Collects all garbage of this thread once so much memory that threads share was left since the last time. */
export function collectLeft(bytes: number): void {
  bytesLeft += bytes;
  if (bytesLeft <= LEFT_BYTES_MAX) return;
  bytesLeft = 0;
  collectGarbage();
}

/** Bytes of all memory that threads share in plain data. */
export function sharedBytesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? value.byteLength : 0;
  return Object.values(value).reduce((sum: number, each) => sum + sharedBytesIn(each), 0);
}

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
