/*
 * JSON of answers, written in steps: one of megabytes at once would hold the event loop for all others.
 *
 *   {"matches":[ {…} {…} {…} … ],"cursor":…}        a long list by some elements at a time, and what has one by its fields;
 *               '-- JSON.stringify --'               all else by JSON.stringify, which is faster the more it is given
 *
 * A text of megabytes would be copied by whatever it passes through, and each copy is garbage that V8 looks for in all of its
 * heap. So a long text is made of bytes from the first, which pass between threads and to the client as they are.
 *
 * Cost: a look at the fields of each element of a long list, a few percent of writing them.
 */

/** A short text as it is, a long one in UTF-8. */
export type WrittenJson = string | Buffer<ArrayBuffer>;

/** A list of so many is long. */
const LONG_LIST = 16;
/** How deep long lists are looked for: that of a match, which is in the short list of an answer. */
const LOOKED_AT_DEPTH = 3;
/** Elements of a long list that are written at a time, unless they have long lists. */
const ELEMENTS_AT_ONCE = 16;
/** Written between two steps, about: a fraction of a millisecond. */
const STEP_CHARACTERS = 32 * 1024;
/** A longer text becomes bytes. */
const TEXT_CHARACTERS_MAX = 128 * 1024;

/** Whether {@link writtenJsonSteps} takes steps for a value of plain data. */
export function hasLongList(value: unknown, depth = LOOKED_AT_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && value.length > LONG_LIST) return true;
  if (depth === 0) return false;
  for (const key in value) if (hasLongList(value[key as keyof typeof value], depth - 1)) return true;
  return false;
}

/** What JSON.stringify gives of plain data: null, booleans, numbers, texts, and lists and objects of them. */
export function* writtenJsonSteps(value: unknown): Generator<undefined, WrittenJson> {
  const pieces: string[] = [];
  const bytes: Buffer[] = [];
  let [text, stepEndsAt, length] = ['', STEP_CHARACTERS, 0];
  const add = (piece: string) => {
    text += piece;
    length += piece.length;
    if (length < stepEndsAt) return false;
    pieces.push(text);
    text = '';
    stepEndsAt = length + STEP_CHARACTERS;
    if (length > TEXT_CHARACTERS_MAX) toBytes();
    return true;
  };
  const toBytes = () => {
    // no piece ends within a character: each is the JSON of whole values
    for (const piece of pieces) bytes.push(Buffer.from(piece));
    pieces.length = 0;
  };
  function* write(one: unknown): Generator<undefined, void> {
    if (!hasLongList(one)) {
      if (add(JSON.stringify(one) ?? 'null')) yield;
    } else if (Array.isArray(one)) yield* writeList(one);
    else yield* writeFields(one as object);
  }
  function* writeFields(fields: object): Generator<undefined, void> {
    let before = '{';
    for (const [key, field] of Object.entries(fields)) {
      if (field === undefined) continue;
      add(`${before}${JSON.stringify(key)}:`);
      before = ',';
      yield* write(field);
    }
    add('}');
  }
  function* writeList(list: readonly unknown[]): Generator<undefined, void> {
    let before = '[';
    for (let from = 0, to = 0; from < list.length; from = to) {
      while (to < list.length && to < from + ELEMENTS_AT_ONCE && !hasLongList(list[to])) to++;
      add(before);
      before = ',';
      if (to === from) yield* write(list[to++]);
      else if (add(JSON.stringify(list.slice(from, to)).slice(1, -1))) yield;
    }
    add(']');
  }
  yield* write(value);
  pieces.push(text);
  if (bytes.length === 0) return pieces.join('');
  toBytes();
  return Buffer.concat(bytes);
}
