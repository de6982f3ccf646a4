import type { CorpusContent } from '../../cluster/port.ts';
import type { KeptSample } from '../../core/sketch/narrow.ts';
import { type Content, lexicalDigestOf } from '../../store/port.ts';

/** What comparing takes of a content. @param hasMarks whether it says which part of it is main */
export function corpusContent(content: Content<KeptSample>, hasMarks: boolean): CorpusContent {
  const { id, main, tokenCount, shingleDigest, shingleCount, sample } = content;
  const text = { lexicalDigest: lexicalDigestOf(content), shingleDigest, shingleCount, sample };
  return hasMarks ? { ...text, marks: { id, main, hasWords: tokenCount > 0 } } : text;
}
