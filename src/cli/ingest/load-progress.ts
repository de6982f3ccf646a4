import type { FillAccess } from '../../client/port.ts';
import { clockText } from '../progress-line.ts';
import { count } from '../texts.ts';
import { phaseTexts } from './first-load/first-load-texts.ts';
import type { LoadView } from './load-parts.ts';
import { sum, type Tally } from './tally.ts';

/** How far a load is, in a line: what it has read, how fast, for how long still. */
export function progressOf(before: Tally, index: FillAccess | null): (load: LoadView) => string {
  const startedAt = performance.now();
  // when it was first known, which takes a folder a while
  let first: { readonly left: number; readonly atMs: number } | null = null;
  return ({ tally, bytesLeft: left }) => {
    const elapsedMs = performance.now() - startedAt;
    const bytesLeft = typeof left === 'number' ? left : null;
    const [read, bytes] = [tally.read - before.read, tally.bytes - before.bytes];
    if (bytesLeft !== null) first ??= { left: bytesLeft, atMs: elapsedMs };
    const done = first === null || bytesLeft === null ? 0 : first.left - bytesLeft;
    const seconds = done > 0 ? ((elapsedMs - first!.atMs) / 1000) * (bytesLeft! / done) : null;
    const phases = index?.firstLoad === undefined ? [] : phaseTexts(index.firstLoad);
    const rate = `${count(Math.round((read / elapsedMs) * 1000))}/s, ${(bytes / elapsedMs / 1000).toFixed(1)} MB/s`;
    const eta = seconds !== null ? [`ETA ${clockText(seconds)}`] : left === 'counting' ? ['counting'] : [];
    return [
      `${count(tally.read)} documents`,
      `${count(Math.round(tally.bytes / 1e6))} MB`,
      // once all is read, that is what there is to be told, and a line has no room for both
      ...(phases.length > 0 ? phases : [rate, ...eta]),
      `${count(sum(tally.refused))} refused`,
    ].join('  ');
  };
}
