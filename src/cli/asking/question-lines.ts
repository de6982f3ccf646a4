import { createReadStream } from 'node:fs';
import { ShingledError } from '../../errors.ts';
import { unreadableText } from '../../plain-words/system-faults.ts';
import type { CliStreams } from '../streams.ts';

/** A line with more is no question. */
const CHARACTERS_MAX = 64 * 2 ** 20;

/** The lines of a file, or of standard input (`-`), blank ones too: they count. @throws ShingledError `input-unreadable` */
export async function* questionLines(
  name: string,
  { input }: Pick<CliStreams, 'input'>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of name === '-' ? input : (createReadStream(name) as AsyncIterable<Uint8Array>)) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      if (text.length > CHARACTERS_MAX)
        throw new ShingledError('body-too-large', `A line of ${name} has more than 64 MiB.`);
      yield* lines;
    }
  } catch (cause) {
    if (cause instanceof ShingledError) throw cause;
    throw new ShingledError('input-unreadable', unreadableText(name, cause), { cause });
  }
  if (text !== '') yield text;
}
