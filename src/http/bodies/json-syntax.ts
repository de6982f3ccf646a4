import { ShingledError } from '../../errors.ts';

/*
 * Where JSON stops being JSON. V8 says so for some faults and for others quotes the text instead, which belongs in no answer
 * and no log. What it says of beginnings of the text tells: one that ends before the fault ends too early, one that ends
 * behind it has it. So the fault is found in as many steps as its number has bits.
 */

const POSITION = / at position (\d+)/;
const LF = 0x0a;

/** Where a text that begins so has its fault for certain, null where it may go on well. `before`: it is in there somewhere. */
type Finding = 'before' | number | null;

/** @param end how much of the text was tried, in UTF-16 units */
function findingOf(error: unknown, end: number): Finding {
  const { message } = error as Error;
  const position = POSITION.exec(message)?.[1];
  if (position !== undefined)
    return Number(position) < end && !message.startsWith('Unterminated') ? Number(position) : null;
  return message.startsWith('Unexpected end') ? null : 'before';
}

function findingIn(text: string, end: number): Finding {
  try {
    JSON.parse(text.slice(0, end));
    return null;
  } catch (error) {
    return findingOf(error, end);
  }
}

/**
 * Refuses a text that is not JSON; in steps, each of which takes as long as parsing it.
 *
 * @param error what parsing all of it threw
 * @throws ShingledError `invalid-json`, with line and column of the fault, both from 1; of one line with the column only
 */
export function* syntaxFault(text: string, error: unknown): Generator<undefined, never> {
  yield;
  if (text.trim() === '') throw new ShingledError('invalid-json', 'The JSON is empty.');
  const found = findingOf(error, text.length);
  if (found === null) {
    throw new ShingledError('invalid-json', `The JSON ends too early, at ${placeOf(text, text.length)}.`);
  }
  let [sound, faulty] = [0, typeof found === 'number' ? found + 1 : text.length];
  while (typeof found !== 'number' && faulty - sound > 1) {
    const middle = (sound + faulty) >> 1;
    if (findingIn(text, middle) === null) sound = middle;
    else faulty = middle;
    yield;
  }
  throw new ShingledError('invalid-json', `The JSON has a syntax error at ${placeOf(text, faulty - 1)}.`);
}

/** Without a line where there is one only: that may be any line of NDJSON. */
function placeOf(text: string, index: number): string {
  let line = 1;
  let lineAt = 0;
  for (let at = 0; at < index; at++) {
    if (text.charCodeAt(at) !== LF) continue;
    line++;
    lineAt = at + 1;
  }
  const column = `column ${index - lineAt + 1}`;
  return text.includes('\n') ? `line ${line}, ${column}` : column;
}
