/*
 * JSON of answers, written in steps: one of megabytes at once would hold the event loop for all others.
 *
 *   {"matches":[ {…} {…} {…} … ],"cursor":…}        a long list by its elements, and what has one by its fields;
 *               '- a step -'                         all else by JSON.stringify, which is faster the more it is given
 *
 * Cost: a look at the fields of each element of a long list, a few percent of writing them.
 */

/** A list of so many is long. */
const LONG_LIST = 16;
/** How deep long lists are looked for: that of a match, which is in the short list of an answer. */
const LOOKED_AT_DEPTH = 3;
/** Written between two steps, about: a fraction of a millisecond. */
const STEP_CHARACTERS = 32 * 1024;

/** Whether {@link writtenJsonSteps} takes steps for a value of plain data. */
export function hasLongList(value: unknown, depth = LOOKED_AT_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && value.length > LONG_LIST) return true;
  return depth > 0 && Object.values(value).some((field) => hasLongList(field, depth - 1));
}

/** What JSON.stringify gives of plain data: null, booleans, numbers, texts, and lists and objects of them. */
export function* writtenJsonSteps(value: unknown): Generator<undefined, string> {
  const pieces: string[] = [];
  let [text, stepEndsAt, length] = ['', STEP_CHARACTERS, 0];
  const add = (piece: string) => {
    text += piece;
    length += piece.length;
    if (length < stepEndsAt) return false;
    pieces.push(text);
    text = '';
    stepEndsAt = length + STEP_CHARACTERS;
    return true;
  };
  function* write(one: unknown): Generator<undefined, void> {
    if (!hasLongList(one)) {
      if (add(JSON.stringify(one) ?? 'null')) yield;
      return;
    }
    const isList = Array.isArray(one);
    let before = isList ? '[' : '{';
    for (const [key, field] of Object.entries(one as object)) {
      if (!isList && field === undefined) continue;
      add(isList ? before : `${before}${JSON.stringify(key)}:`);
      before = ',';
      yield* write(field);
    }
    add(isList ? ']' : '}');
  }
  yield* write(value);
  pieces.push(text);
  return pieces.join('');
}
