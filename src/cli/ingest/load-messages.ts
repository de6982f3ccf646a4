import type { FillAccess } from '../../client/port.ts';
import { ShingledError } from '../../errors.ts';
import type { Input } from '../../ingest/inputs/inputs.ts';
import type { InputFields } from '../../ingest/sources.ts';
import type { CliContext } from '../command.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { clockText } from '../progress-line.ts';
import { count, readable } from '../texts.ts';
import { keptOf } from './first-load/begun-load.ts';
import { keptText, NOTHING_KEPT, phasesWith, phaseTexts } from './first-load/first-load-texts.ts';
import type { Load } from './ingest-run.ts';
import { summaryText } from './ingest-texts.ts';
import type { LoadView } from './load-parts.ts';
import { sum, summaryOf, type Tally, undone } from './tally.ts';
import type { Teller } from './teller.ts';

/* What is said of a load: how far it is, and what it came to. */

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

/** What a load has come to its end with. */
export interface Ended {
  readonly load: Load;
  readonly teller: Teller;
  readonly before: Tally;
  readonly inputs: readonly Input[];
  readonly fields: InputFields;
  /** A folder that could not be read, so that --mirror made nothing gone; null if there is none. */
  readonly hidden: string | null;
  readonly elapsedMs: number;
  readonly isDone: boolean;
  readonly hasState: boolean;
  readonly areAllNamed: boolean;
}

/** Says what a load came to. @returns the exit code */
export function tellEnd({ streams, show }: CliContext, index: FillAccess | null, ended: Ended): number {
  const { load, teller, before, inputs, fields, hidden, elapsedMs, isDone, hasState, areAllNamed } = ended;
  const end = isDone ? ('done' as const) : ('interrupted' as const);
  const { firstLoad } = index ?? {};
  const isUndone = firstLoad?.isKept === false;
  const kept = isUndone ? keptOf(firstLoad) : null;
  const phases = firstLoad === undefined ? load.phases : phasesWith(load.phases, firstLoad);
  const run = { end, isDryRun: index === null, elapsedMs, phases, before, examples: teller.examples };
  const summary = summaryOf(kept?.tally ?? (isUndone ? undone(teller.tally) : teller.tally), run);
  show(summary, () =>
    summaryText(summary, teller.hasFileUrls, {
      inputs: inputs.map(({ name }) => name),
      empty: inputs.filter(({ size }) => size === 0).map(({ name }) => name),
      areAllNamed,
      hasUrlPrefix: fields.urlPrefix !== null,
      columns: streams.isTerminal ? streams.columns : Number.POSITIVE_INFINITY,
      hasPatterns: fields.include.length + fields.exclude.length > 0 || fields.gitignore,
    }),
  );
  const { errorsLeftOut } = teller;
  if (errorsLeftOut > 0)
    streams.err(`--errors: the file has its most bytes; ${count(errorsLeftOut)} more records are only counted.\n`);
  if (hidden !== null) streams.err(readable(`--mirror: nothing was made gone, because ${hidden} cannot be read.\n`));
  if (isDone) return sum(summary.refused) > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
  streams.err(`Interrupted after ${recordsText(teller.tally.read)}. ${howToGoOn(index, hasState)}\n`);
  return EXIT_CODES.interrupted;
}

const recordsText = (read: number) => (read === 1 ? '1 record' : `${count(read)} records`);

function howToGoOn(index: FillAccess | null, hasState: boolean): string {
  const { firstLoad } = index ?? {};
  if (firstLoad?.isKept === false) {
    const kept = keptOf(firstLoad);
    return kept === null ? NOTHING_KEPT : keptText(kept.tally.read);
  }
  return hasState
    ? 'To go on, run the same command again.'
    : 'Run the same command again: it finds what is there already as "unchanged". With --state it would go on from here.';
}

/** An error that ended a load, with what is kept of it and how to go on. */
export function withAdvice(error: unknown, read: number, index: FillAccess | null, hasState: boolean): unknown {
  if (!(error instanceof ShingledError)) return error;
  const { code, message, field, limit } = error;
  if (read === 0 && index?.firstLoad === undefined) return error;
  const done = index?.firstLoad?.isKept === false ? '' : ', which are written';
  const advice = `It ended after ${recordsText(read)}${done}. ${howToGoOn(index, hasState)}`;
  return new ShingledError(code, `${message}\n${advice}`, { field, limit, cause: error });
}
