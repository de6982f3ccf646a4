import { contentKey, lexicalKey } from '../format/keys.ts';
import { unreadable } from '../format/value-bytes.ts';
import type { Draft } from './draft.ts';
import { isRecord, type Sighting } from './sighting.ts';

/*
 * The content of a sighting, as its source holds it. Of contents of before format 8 it is not known what is main. Where one is
 * put again it is known: all of it, since it has the name of its words alone (identity/digests.ts). Its row is written once
 * more, and says so.
 */

/** Whether it is known what of the content of a sighting is main. */
export const isRead = ({ content }: Pick<Sighting, 'content'>): boolean => content.main !== 'not-read';

/** Whether it is not known of a source, once it was seen so. */
export function isUnreadAfter(before: { readonly isUnread: boolean }, sighting: Sighting): boolean {
  return before.isUnread && !isRead(sighting);
}

/** @param number of a content that was there before the sighting, and is what it is of */
export function noteRead(draft: Draft, number: number, sighting: Pick<Sighting, 'content'>): void {
  if (!isRead(sighting)) return;
  const content = draft.content(number);
  if (content.main === 'not-read') draft.rows.contents.put(contentKey(number), { ...content, main: null });
}

/** The content of the plan, held by its source; brought into the index where it is not there yet. */
export function holdContent(draft: Draft, { content, url }: Sighting): { number: number; isNew: boolean } {
  const known = draft.numberOf(content.id);
  if (known === undefined && !isRecord(content)) return { number: draft.addContent(content, url), isNew: true };
  if (known === undefined) throw unreadable(lexicalKey(content.id));
  draft.hold(known, url);
  noteRead(draft, known, { content });
  return { number: known, isNew: false };
}
