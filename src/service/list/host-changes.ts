import type { HostChanges, HostChangesAnswer, PageRequest, Selection } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { checkPageLimit } from '../options.ts';
import { type CursorScope, openCursor, sealCursor } from '../similar/cursor.ts';
import { type ChangeTally, NO_CHANGES, rateOfTally, withChanges } from '../versions/rate.ts';
import { hostReader } from './host-counts.ts';
import { sourceSteps } from './selected-steps.ts';
import { readSelection } from './selection.ts';

/*
 * How often documents change, by host. As host-counts.ts counts them: in one pass over the list, and where a page ends in the
 * midst of a host, its cursor says what was counted so far. Here each document is read with its versions.
 */

interface HostTally extends ChangeTally {
  readonly host: string | null;
  readonly documents: number;
  readonly versions: number;
}

/** Where a page ended: the last URL that was looked at, and what was counted of a host that was not told yet. */
interface ChangesPosition {
  readonly after: string;
  readonly counted: HostTally | null;
}

/** @throws ShingledError `invalid-request`, `invalid-url`, `invalid-cursor`, and the signal's reason */
export async function changesByHost(
  context: ServiceContext,
  selection: Selection,
  page: PageRequest,
  signal?: AbortSignal,
): Promise<HostChangesAnswer> {
  const { limits, identity } = context;
  checkPageLimit(page.limit, limits);
  const wanted = readSelection(selection, limits);
  const scope: CursorScope = { purpose: 'changes', binding: wanted.binding };
  const begin = page.cursor === null ? null : positionFrom(openCursor(identity.cursorKey, scope, page.cursor));
  const sealed = (position: ChangesPosition) =>
    sealCursor(identity.cursorKey, scope, Buffer.from(JSON.stringify(position)));
  const hosts: HostChanges[] = [];
  const nameOf = hostReader();
  let counted = begin?.counted ?? null;
  let last = begin?.after ?? '';
  let [examined, unreadableCount] = [0, 0];
  const going = { after: begin?.after ?? null, signal, versionsMax: limits.limitMax };
  for await (const step of sourceSteps(context, wanted, going)) {
    for (const { url, source, versions } of step.wanted) {
      if (source === null) {
        unreadableCount++;
        continue;
      }
      const host = nameOf(url);
      if (counted !== null && counted.host !== host) {
        hosts.push(told(counted));
        counted = null;
        if (hosts.length === page.limit) {
          return { hosts, unreadableCount, cursor: sealed({ after: last, counted: null }) };
        }
      }
      counted = withDocument(counted ?? { host, documents: 0, versions: 0, ...NO_CHANGES }, versions);
      examined += versions.length;
      last = url;
    }
    examined += step.examined;
    if (examined >= limits.examinedMax && step.after !== null) {
      return { hosts, unreadableCount, cursor: sealed({ after: step.after, counted }) };
    }
  }
  if (counted !== null) hosts.push(told(counted));
  return { hosts, unreadableCount, cursor: null };
}

const withDocument = (tally: HostTally, versions: Parameters<typeof withChanges>[1]): HostTally => ({
  ...{ host: tally.host, documents: tally.documents + 1, versions: tally.versions + versions.length },
  ...withChanges(tally, versions),
});

function told({ host, documents, versions, ...tally }: HostTally): HostChanges {
  return { host, documents, versions, ...rateOfTally(tally) };
}

function positionFrom(bytes: Buffer): ChangesPosition {
  return JSON.parse(bytes.toString()) as ChangesPosition;
}
