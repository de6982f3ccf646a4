import { textOf } from '../texts.ts';

/* What the index holds while the event loop is measured: long lists to answer with. */

/** The URLs, all with one content and with long names, that an answer can list. */
export const SOURCES = 9000;
export const sourceUrl = (i: number) => `https://h${i}.example/${'path-of-a-long-name/'.repeat(98)}${i}`;
export const SOURCES_TEXT = textOf(77, 5000);
/** The family of near-copies, each with all the meta that it may have. */
export const FAMILY = 300;
export const familyText = (i: number) => `${textOf(78, 20_000)} member ${i}`;
export const familyMeta = () => ({ note: 'n'.repeat(4000) });
/** A larger family of short near-copies: a cluster of thousands. */
export const SHORT_FAMILY = 6000;
export const shortText = (i: number) => `${textOf(79, 1000)} member ${i}`;
export const shortUrl = (i: number) => `https://f${i % 900}.short.example/${i}`;
/** A URL with as many versions as one page can list. */
export const VERSIONED = 'https://versions.example/';
