import { throwIfGivenUp } from '../../sharing/deadline.ts';
import type { ListedSource } from '../../store/port.ts';
import type { ServiceContext } from '../context.ts';
import type { Wanted } from './selection.ts';

/*
 * A selection is gone through in steps. Each is one read of the store, 2 ms of the event loop, and a turn of the caller's.
 *
 *   range of the store ── a step of rows ──► filters ──► what is wanted of it, and where to go on
 *
 * Rows come when they are read, and in no turn. So only a few steps of all lists are read at a time: should they end in the
 * same iteration of the event loop, they hold it for 8 ms.
 */

/** Sources of one step: decoding more of them would hold the event loop for longer than a turn. */
const STEP_SOURCES = 512;
/** Their URLs alone take a fifth of that. */
const STEP_URLS = 2048;

export interface Step<T> {
  /** In the order of the list. */
  readonly wanted: readonly T[];
  /** Sources that were looked at, wanted or not. */
  readonly examined: number;
  /** Whereafter the next step begins; null behind the last. */
  readonly after: string | null;
}

export interface Going {
  /** Where to begin; null: at the first. */
  readonly after: string | null;
  /** Fewer will do. */
  readonly stepMax?: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether each step waits for a place among the requests: of a list that goes on for long. */
  readonly inPlaces?: boolean;
}

/** Sources of a selection, and those of its range that cannot be read. */
export function sourceSteps(
  context: ServiceContext,
  { range, passes }: Wanted,
  going: Going & { readonly versionsMax?: number },
): AsyncGenerator<Step<ListedSource>, void, undefined> {
  const limit = Math.min(STEP_SOURCES, going.stepMax ?? STEP_SOURCES);
  const { versionsMax = 0 } = going;
  return steps(context, going, async (after) => {
    const { listed, after: next } = await context.store.sources({ ...range, after, limit }, { versionsMax });
    const wanted = passes === null ? listed : listed.filter(({ source }) => source === null || passes(source));
    return { wanted, examined: listed.length, after: next };
  });
}

/** URLs of a selection, read alone where it has no filters. `null` stands for one of which nothing can be read. */
export async function* urlSteps(
  context: ServiceContext,
  wanted: Wanted,
  going: Going,
): AsyncGenerator<Step<string | null>, void, undefined> {
  if (wanted.passes === null) {
    yield* steps(context, going, async (after) => {
      const { urls, after: next } = await context.store.sourceUrls({ ...wanted.range, after, limit: STEP_URLS });
      return { wanted: urls, examined: urls.length, after: next };
    });
    return;
  }
  for await (const { wanted: sources, ...step } of sourceSteps(context, wanted, going)) {
    yield { ...step, wanted: sources.map(({ url, source }) => (source === null ? null : url)) };
  }
}

async function* steps<T>(
  { turns, places, scans, caller }: ServiceContext,
  { after, signal, inPlaces = false }: Going,
  read: (after: string | undefined) => Promise<Step<T>>,
): AsyncGenerator<Step<T>, void, undefined> {
  for (let from = after ?? undefined; ; ) {
    throwIfGivenUp(signal);
    const scan = () =>
      scans.run(caller, { patient: true }, async () => {
        if (turns.spent()) await turns.next();
        throwIfGivenUp(signal);
        return read(from);
      });
    const step = await (inPlaces ? places.run(caller, { patient: true }, scan) : scan());
    // what comes from the store comes in nobody's turn
    if (turns.spent()) await turns.next();
    yield step;
    if (step.after === null) return;
    from = step.after;
  }
}
