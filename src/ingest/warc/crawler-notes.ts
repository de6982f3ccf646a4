/*
 * What crawlers write of their own into archives, by the URI that they give it. It is text as a page is, and no document:
 *
 *   metadata://gnu.org/software/wget/warc/wget_arguments.txt     wget: its arguments, its log, its list of records
 *   urn:X-wget:…  urn:X-wpull:log  urn:X-crocoite:script/…       the same of others
 *   urn:pageinfo:https://…  urn:view:…  urn:thumbnail:…          Browsertrix: what a page loaded, pictures of it
 *   urn:text:https://…                                           and its text: the page is in the archive itself
 *   screenshot:http://…  thumbnail:…  youtube-dl:…               brozzler
 *   dns:a.example  whois://…                                     what a crawler asked others of a host
 *
 * Other names (`urn:isbn:…`, `file:///…`) are those of documents.
 */

const NOTES: readonly (readonly [is: RegExp, detail: string])[] = [
  [/^metadata:\/\/(?:www\.)?gnu\.org\/software\/wget\//i, 'what wget wrote of its run'],
  [/^urn:x-(?:wget|wpull|crocoite|grab-site)\b/i, 'what a crawler wrote of its run'],
  [/^metadata:/i, 'what a crawler wrote of its run'],
  [/^urn:pageinfo:/i, 'what a crawler wrote of a page'],
  [/^(?:urn:(?:view|thumbnail|fullpage|screenshot)|screenshot|thumbnail):/i, 'the picture of a page, by a crawler'],
  [/^urn:text(?:-?final)?:/i, 'the text of a page, by a crawler: the page is a record of its own'],
  [/^(?:youtube-dl|ytdl):/i, 'what a crawler wrote of a video'],
  [/^(?:dns|whois):/i, 'what a crawler asked of a host'],
];
const PAGE = /^https?:/i;

/** What a crawler's own record is; null where it is of a document. */
export function noteOf(url: string): string | null {
  if (PAGE.test(url)) return null;
  return NOTES.find(([is]) => is.test(url))?.[1] ?? null;
}
