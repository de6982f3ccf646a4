/** Lines are handed on in texts of so many characters: a write for each would cost more than its line. */
const TEXT_CHARACTERS = 2 ** 16;

/** Lines, each with its end, as few longer texts. */
export function* gathered(lines: Iterable<string>): Generator<string, void, undefined> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < TEXT_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** As {@link gathered}, of lines that are waited for. */
export async function* gatheredLater(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < TEXT_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
