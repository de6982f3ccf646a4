import { withDeadline } from '../../sharing/deadline.ts';
import type { HostCount, HostsAnswer, PageRequest, Selection } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { checkPageLimit } from '../options.ts';
import { type CursorScope, openCursor, sealCursor } from '../similar/cursor.ts';
import { hostOf } from '../url.ts';
import { urlSteps } from './selected-steps.ts';
import { readSelection } from './selection.ts';

/*
 * Documents by host. The list has those of a host side by side, so they are counted in one pass. Where a page ends in the
 * midst of a host, its cursor says how many were counted so far: a host is told once, with all of its documents.
 *
 * Of one host that is asked for its template is told, too: that takes as long as some hundred documents.
 */

/** Where a page ended: the last URL that was looked at, and what was counted of a host that was not told yet. */
interface HostsPosition {
  readonly after: string;
  readonly counted: HostCount | null;
}

/** @throws ShingledError `invalid-request`, `invalid-url`, `invalid-cursor`, and the signal's reason */
export async function countByHost(
  context: ServiceContext,
  selection: Selection,
  page: PageRequest,
  signal?: AbortSignal,
): Promise<HostsAnswer> {
  const { limits, identity } = context;
  checkPageLimit(page.limit, limits);
  const wanted = readSelection(selection, limits);
  const scope: CursorScope = { purpose: 'hosts', binding: wanted.binding };
  const begin = page.cursor === null ? null : positionFrom(openCursor(identity.cursorKey, scope, page.cursor));
  const sealed = (position: HostsPosition) =>
    sealCursor(identity.cursorKey, scope, Buffer.from(JSON.stringify(position)));
  const hosts: HostCount[] = [];
  const nameOf = hostReader();
  let counted = begin?.counted ?? null;
  let last = begin?.after ?? '';
  let [examined, unreadableCount] = [0, 0];
  for await (const step of urlSteps(context, wanted, { after: begin?.after ?? null, signal })) {
    for (const url of step.wanted) {
      if (url === null) {
        unreadableCount++;
        continue;
      }
      const host = nameOf(url);
      if (counted !== null && counted.host !== host) {
        hosts.push(counted);
        counted = null;
        if (hosts.length === page.limit) {
          return { hosts, unreadableCount, cursor: sealed({ after: last, counted: null }) };
        }
      }
      counted = { host, documents: (counted?.documents ?? 0) + 1 };
      last = url;
    }
    examined += step.examined;
    if (examined >= limits.examinedMax && step.after !== null) {
      return { hosts, unreadableCount, cursor: sealed({ after: step.after, counted }) };
    }
  }
  if (counted !== null) hosts.push(await withTemplate(context, counted, selection, signal));
  return { hosts, unreadableCount, cursor: null };
}

async function withTemplate(
  context: ServiceContext,
  counted: HostCount,
  { host, subdomains = false }: Selection,
  signal: AbortSignal | undefined,
): Promise<HostCount> {
  if (host === undefined || subdomains) return counted;
  const { store, turns, templates } = context;
  const template = await withDeadline(Number.POSITIVE_INFINITY, signal, (deadline) =>
    templates.templateOf(counted.host, { store, turns, deadline }),
  );
  return { ...counted, template: template && { pages: template.pages, shingles: template.shingles } };
}

function positionFrom(bytes: Buffer): HostsPosition {
  return JSON.parse(bytes.toString()) as HostsPosition;
}

/** Reads the hosts of URLs that come in the order of the list: to parse each would take longer than all else. */
export function hostReader(): (url: string) => string | null {
  let origin: string | null = null;
  let host: string | null = null;
  return (url) => {
    if (origin !== null && url.startsWith(origin)) return host;
    host = hostOf(url);
    origin = host === null ? null : url.slice(0, url.indexOf('/', url.indexOf('//') + 2) + 1);
    return host;
  };
}
