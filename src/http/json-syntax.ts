import { ShingledError } from '../errors.ts';

/*
 * Where JSON stops being JSON. V8 says so for some faults and for others quotes the text instead, which belongs in no answer
 * and no log. What it says of beginnings of the text tells: one that ends before the fault ends too early, one that ends
 * behind it has it. So the place is found in as many steps as its number has bits.
 */

const POSITION = / at position (\d+)/;

/** Where a text that begins so has its fault for certain, null where it may go on well. `of`: only its length is known. */
function faultIn(text: string, end: number): 'before' | number | null {
  try {
    JSON.parse(text.slice(0, end));
    return null;
  } catch (error) {
    const { message } = error as Error;
    const position = POSITION.exec(message)?.[1];
    if (position !== undefined)
      return Number(position) < end && !message.startsWith('Unterminated') ? Number(position) : null;
    return message.startsWith('Unexpected end') ? null : 'before';
  }
}

/**
 * Refuses a text that is not JSON; in steps, each of which takes as long as parsing it.
 *
 * @throws ShingledError `invalid-json`, with line and column of the fault, both from 1
 */
export function* syntaxFault(text: string): Generator<undefined, never> {
  if (text.trim() === '') throw new ShingledError('invalid-json', 'The JSON is empty.');
  const found = faultIn(text, text.length);
  if (found === null)
    throw new ShingledError('invalid-json', `The JSON ends too early, at ${placeOf(text, text.length)}.`);
  let [sound, faulty] = [0, typeof found === 'number' ? found + 1 : text.length];
  while (typeof found !== 'number' && faulty - sound > 1) {
    yield;
    const middle = (sound + faulty) >> 1;
    if (faultIn(text, middle) === null) sound = middle;
    else faulty = middle;
  }
  throw new ShingledError('invalid-json', `The JSON has a syntax error at ${placeOf(text, faulty - 1)}.`);
}

function placeOf(text: string, index: number): string {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return `line ${line}, column ${index - before.lastIndexOf('\n')}`;
}
