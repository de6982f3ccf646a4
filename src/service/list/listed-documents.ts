import type { ListedSource, Source } from '../../store/port.ts';
import type { ExportLine, ListAnswer, ListedDocument, PageRequest, Selection } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { toldSource } from '../document/told-source.ts';
import { checkPageLimit } from '../options.ts';
import { type CursorScope, openCursor, sealCursor } from '../similar/cursor.ts';
import { nameSource } from '../url.ts';
import { describeVersions } from '../versions/version-change.ts';
import { sourceSteps } from './selected-steps.ts';
import { readSelection } from './selection.ts';

/* What the index knows, as a list: a page of it, or all of it with its versions. */

/** A document of a list beside its texts. */
const DOCUMENT_BYTES = 400;

/** @throws ShingledError `invalid-request`, `invalid-url`, `invalid-cursor`, and the signal's reason */
export async function list(
  context: ServiceContext,
  selection: Selection,
  page: PageRequest,
  signal?: AbortSignal,
): Promise<ListAnswer> {
  const { limits, identity } = context;
  checkPageLimit(page.limit, limits);
  const wanted = readSelection(selection, limits);
  const scope: CursorScope = { purpose: 'list', binding: wanted.binding };
  const after = page.cursor === null ? null : openCursor(identity.cursorKey, scope, page.cursor).toString();
  const sealed = (url: string | null) => url && sealCursor(identity.cursorKey, scope, Buffer.from(url));
  const found: ListedSource[] = [];
  let [examined, bytes] = [0, 0];
  // one more than the page holds: where there are no filters, there is a cursor exactly where something follows
  const stepMax = wanted.passes === null ? page.limit + 1 : undefined;
  const going = { after, signal, ...(stepMax === undefined ? {} : { stepMax }) };
  for await (const step of sourceSteps(context, wanted, going)) {
    for (const listed of step.wanted) {
      if (found.length === page.limit || bytes >= limits.answerBytesMax) {
        return { ...describe(found), cursor: sealed(found.at(-1)!.url) };
      }
      found.push(listed);
      bytes += bytesOf(listed);
    }
    examined += step.examined;
    if (examined >= limits.examinedMax) return { ...describe(found), cursor: sealed(step.after) };
  }
  return { ...describe(found), cursor: null };
}

function bytesOf({ url, source }: ListedSource): number {
  if (source === null) return url.length;
  const { spelling, finalUrl, title, meta } = source;
  const texts = [url, spelling, finalUrl, title, meta && JSON.stringify(meta)];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), DOCUMENT_BYTES);
}

function describe(found: readonly ListedSource[]): Omit<ListAnswer, 'cursor'> {
  const documents: ListedDocument[] = [];
  const unreadable: string[] = [];
  for (const { url, source } of found) {
    if (source === null) unreadable.push(url);
    else documents.push(listedDocument(source));
  }
  return { documents, unreadable };
}

/**
 * Every document of a selection, or those after a URL, each with its versions.
 *
 * @throws ShingledError `invalid-request`, `invalid-url`, at once; later what reading throws, and the signal's reason
 */
export function exported(
  context: ServiceContext,
  selection: Selection,
  after: string | null,
  signal?: AbortSignal,
): AsyncGenerator<ExportLine, void, undefined> {
  const { limits } = context;
  const wanted = readSelection(selection, limits);
  const from = after === null ? null : nameSource(after, 'after', limits.urlBytesMax).url;
  // one more than is told, which says whether there are more
  const going = { after: from, signal, inPlaces: true, versionsMax: limits.limitMax + 1 };
  async function* lines() {
    for await (const step of sourceSteps(context, wanted, going)) {
      for (const listed of step.wanted) yield exportLine(listed, limits.limitMax);
    }
  }
  return lines();
}

function exportLine({ url, source, versions }: ListedSource, versionsMax: number): ExportLine {
  if (source === null) {
    return { url, code: 'index-unreadable', detail: 'What is known of this URL cannot be read.' };
  }
  const moreVersions = versions.length > versionsMax;
  return Object.assign(listedDocument(source), { versions: describeVersions(versions, versionsMax), moreVersions });
}

function listedDocument(source: Source): ListedDocument {
  return Object.assign(toldSource(source), { contentId: source.contentId });
}
