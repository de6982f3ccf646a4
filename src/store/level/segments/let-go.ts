import { collectGarbage } from '../../../sharing/garbage.ts';
import { rest } from '../../../sharing/waiting.ts';

/*
 * Memory that threads share, and that this one needs no more. V8 gives it back with the last object that has it, but does not
 * count it. So a thread that makes little garbage of its own would keep the images and tails of an hour ago.
 *
 *   let go ─── 64 MB of it, for 2 s ──► still there? ──► collect
 *                                           '── V8 has collected by itself meanwhile, as it does in a thread that is busy
 *
 * So it is a thread with nothing else to do that is made to collect: 5 to 20 ms.
 */

const LET_GO_MAX = 64 * 2 ** 20;
/** Questions that still use it have been answered by then, and so have most that V8 will collect by itself. */
const COLLECT_AFTER_MS = 2000;

let bytesLetGo = 0;
let isWaiting = false;
const collected = new FinalizationRegistry<number>((bytes) => {
  bytesLetGo -= bytes;
});

/** @param held the object by which the memory was held; whoever calls forgets it now */
export function letGo(held: WeakKey, bytes: number): void {
  if (bytes === 0) return;
  bytesLetGo += bytes;
  collected.register(held, bytes);
  if (isWaiting || bytesLetGo < LET_GO_MAX) return;
  isWaiting = true;
  void rest(COLLECT_AFTER_MS).then(() => {
    isWaiting = false;
    if (bytesLetGo < LET_GO_MAX) return;
    collectGarbage();
  });
}
