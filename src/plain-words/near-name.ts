import { closestMatch } from 'leven';

/** One letter may be wrong, and one more for each 4 letters: two letters that changed places count as two. */
const LETTERS_A_MISTAKE = 4;

/** The name that was probably meant by a word that is not one of them; null if none is like it. */
export function nearName(word: string, names: readonly string[]): string | null {
  const meant = word.toLowerCase();
  if (meant === '') return null;
  const longer = names.filter((name) => name.toLowerCase().startsWith(meant));
  if (longer.length === 1) return longer[0]!;
  const maxDistance = 1 + Math.floor(meant.length / LETTERS_A_MISTAKE);
  const byLower = new Map(names.map((name) => [name.toLowerCase(), name]));
  const nearest = closestMatch(meant, [...byLower.keys()], { maxDistance });
  return nearest === undefined ? null : byLower.get(nearest)!;
}

/** The question that ends a message; empty if no name is like the word. @param spelled how a name is written there */
export function didYouMean(
  word: string,
  names: readonly string[],
  spelled: (name: string) => string = (name) => name,
): string {
  const near = nearName(word, names);
  return near === null ? '' : ` Did you mean ${spelled(near)}?`;
}
