import { ShingledError } from '../../errors.ts';
import { Deadline } from '../../sharing/deadline.ts';
import type { ForgetAnswer, ForgetOptions, Selection } from '../api.ts';
import { elapsedMs, type ServiceContext } from '../context.ts';
import { openCursor, sealCursor } from '../similar/cursor.ts';
import { urlSteps } from './selected-steps.ts';
import { readSelection, type Wanted } from './selection.ts';

/*
 * Documents are forgotten by a selection, in two calls:
 *
 *   count       how many there are, and a token that names the number
 *   delete      with the token: where their number is another by now, nothing is deleted
 *
 *   token = number . HMAC-SHA-256(cursor key, purpose 00 number, selection), 16 bytes
 *
 * Deleting goes in batches through the queue of writes, each document by itself: what is forgotten stays so, whatever
 * becomes of the rest. A call ends after a while, with a token for what is left.
 */

/** Deletions under way: a batch of the committer's takes as many. */
const BATCH = 512;

/**
 * @throws ShingledError `invalid-request`, `invalid-url`, `selection-changed`; what the store refuses a deletion with, and the
 *   signal's reason: what is deleted by then stays so
 */
export async function forgetSelected(
  context: ServiceContext,
  selection: Selection,
  { dryRun, confirm }: ForgetOptions,
  signal?: AbortSignal,
): Promise<ForgetAnswer> {
  const startedAt = performance.now();
  const wanted = readSelection(selection, context.limits);
  if (dryRun && confirm !== null) throw unconfirmed('confirm does not go with dryRun, which deletes nothing.');
  if (!dryRun && confirm === null) {
    throw unconfirmed(
      'Ask with dryRun=true first, and send the confirm of its answer: it names how many documents go.',
    );
  }
  const expected = confirm === null ? null : numberConfirmed(context, wanted, confirm);
  const { matched, unreadableCount } = await count(context, wanted, signal);
  if (expected === null) {
    const token = tokenOf(context, wanted, matched);
    return { matched, deleted: 0, unreadableCount, confirm: token, elapsedMs: elapsedMs(startedAt) };
  }
  if (matched !== expected) {
    const detail = `The selection has ${matched} documents now, not ${expected}: ask with dryRun=true again.`;
    throw new ShingledError('selection-changed', detail, { field: 'confirm' });
  }
  const { deleted, unread, left } = await forget(context, wanted, matched, signal);
  return {
    matched,
    deleted,
    unreadableCount: unreadableCount + unread,
    confirm: left === null ? null : tokenOf(context, wanted, left),
    elapsedMs: elapsedMs(startedAt),
  };
}

async function count(context: ServiceContext, wanted: Wanted, signal: AbortSignal | undefined) {
  let [matched, unreadableCount] = [0, 0];
  for await (const step of urlSteps(context, wanted, { after: null, signal, inPlaces: true })) {
    for (const url of step.wanted) {
      if (url === null) unreadableCount++;
      else matched++;
    }
  }
  return { matched, unreadableCount };
}

/** @returns `left`: how many of the selection may still be there where time was up, null where all were gone through */
async function forget(context: ServiceContext, wanted: Wanted, matched: number, signal: AbortSignal | undefined) {
  const time = new Deadline(context.limits.forgetMs);
  let [begun, deleted, unread, gone] = [0, 0, 0, 0];
  for await (const step of urlSteps(context, wanted, { after: null, signal, inPlaces: true })) {
    const urls = step.wanted.filter((url) => url !== null);
    for (let from = 0; from < urls.length; from += BATCH) {
      // no more than were confirmed, whatever came meanwhile
      const batch = urls.slice(from, from + Math.min(BATCH, matched - begun));
      begun += batch.length;
      for (const became of await forgetEach(context, batch)) {
        if (became === 'deleted') deleted++;
        else if (became === 'unreadable') unread++;
        else gone++;
      }
      if (begun === matched) return { deleted, unread, left: null };
      // after a batch: however little time there is, each call brings it on
      if (time.passed) return { deleted, unread, left: matched - deleted - gone };
    }
  }
  return { deleted, unread, left: null };
}

type Became = 'deleted' | 'unknown' | 'unreadable';

/** @throws the first refusal, once all that were begun have ended */
async function forgetEach(
  { store, caller, limits, now }: ServiceContext,
  urls: readonly string[],
): Promise<readonly Became[]> {
  const receivedAt = now();
  const settled = await Promise.allSettled(
    urls.map(async (url): Promise<Became> => {
      const plan = { kind: 'delete', url, receivedAt } as const;
      const { status } = await store.apply(plan, { caller, roomWaitMs: limits.bulkWaitMs });
      return status === 'deleted' ? 'deleted' : 'unknown';
    }),
  );
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    const { reason } = one;
    if (reason instanceof ShingledError && reason.code === 'index-unreadable') return 'unreadable';
    throw reason;
  });
}

const scopeOf = ({ binding }: Wanted, matched: number) =>
  ({ purpose: 'forget', binding: `${matched} ${binding}` }) as const;

function tokenOf({ identity }: ServiceContext, wanted: Wanted, matched: number): string {
  return `${matched}.${sealCursor(identity.cursorKey, scopeOf(wanted, matched), new Uint8Array(0))}`;
}

/** The number that a token names. @throws ShingledError `invalid-request` where it is none of ours for this selection */
function numberConfirmed({ identity }: ServiceContext, wanted: Wanted, token: string): number {
  const [, digits, seal] = /^(0|[1-9]\d{0,15})\.(.*)$/s.exec(token) ?? [];
  try {
    const matched = Number(digits);
    if (openCursor(identity.cursorKey, scopeOf(wanted, matched), seal ?? '').length === 0) return matched;
  } catch {
    // told below
  }
  throw unconfirmed('confirm was changed, or belongs to another selection: ask with dryRun=true again.');
}

function unconfirmed(detail: string): ShingledError {
  return new ShingledError('invalid-request', detail, { field: 'confirm' });
}
