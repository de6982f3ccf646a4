/** Characters of a title that are kept. */
const TITLE_CHARACTERS_MAX = 300;

/**
 * A title as it is shown: white space collapsed, soft hyphens gone, NUL as U+FFFD, at most 300 characters; null where
 * nothing is left.
 */
export function shownTitle(text: string): string | null {
  const title = text.replaceAll('\u00ad', '').replaceAll('\0', '\ufffd').replace(/\s+/g, ' ').trim();
  const characters = Array.from(title);
  if (characters.length > TITLE_CHARACTERS_MAX) return characters.slice(0, TITLE_CHARACTERS_MAX).join('').trimEnd();
  return title === '' ? null : title;
}
