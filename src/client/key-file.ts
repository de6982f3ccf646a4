import { readFileSync } from 'node:fs';
import { ShingledError } from '../errors.ts';
import { unreadableText } from '../plain-words/system-faults.ts';

/** The API key that a file holds, with or without a newline behind it. @throws ShingledError `invalid-config` */
export function readKeyFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ShingledError('invalid-config', `--key-file: ${unreadableText(path, cause)}`, { cause });
  }
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ShingledError('invalid-config', `--key-file: ${path} does not hold one key and nothing else.`);
}
