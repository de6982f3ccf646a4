import type { Source } from '../../store/port.ts';
import type { ToldSource } from '../api.ts';

/** What is told of a document wherever it is told: one of them, a page of a list, an export. */
export function toldSource(source: Source): ToldSource {
  const firstSeen = new Date(source.firstSeen).toISOString();
  // most were seen once, and printing a time takes as long as reading a row
  const timeOf = (ms: number) => (ms === source.firstSeen ? firstSeen : new Date(ms).toISOString());
  return {
    url: source.url,
    spelling: source.spelling,
    state: source.state,
    httpStatus: source.httpStatus,
    finalUrl: source.finalUrl,
    title: source.title,
    language: source.language,
    meta: source.meta,
    firstSeen,
    lastSeen: timeOf(source.lastSeen),
    observedAt: timeOf(source.observedAt),
  };
}
