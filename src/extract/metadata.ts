/** Characters of a title that are kept. */
const TITLE_CHARACTERS_MAX = 300;

/** The shape of a BCP 47 language tag (RFC 5646, §2.1), not its meaning. */
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;
const LANGUAGE_CHARACTERS_MAX = 35;

/**
 * A title as it is shown: white space collapsed, soft hyphens gone, NUL as U+FFFD, at most 300 characters; null where
 * nothing is left.
 */
export function titleOf(text: string): string | null {
  const title = text.replaceAll('\u00ad', '').replaceAll('\0', '\ufffd').replace(/\s+/g, ' ').trim();
  if (title === '') return null;
  const characters = Array.from(title);
  return characters.length <= TITLE_CHARACTERS_MAX
    ? title
    : characters.slice(0, TITLE_CHARACTERS_MAX).join('').trimEnd();
}

/** A language as an attribute gives it; null where it has not the shape of a language tag. */
export function languageOf(attribute: string): string | null {
  const tag = attribute.trim();
  return tag.length <= LANGUAGE_CHARACTERS_MAX && LANGUAGE_TAG.test(tag) ? tag : null;
}
