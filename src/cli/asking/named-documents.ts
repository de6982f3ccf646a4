import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { FILE_TYPES } from '../../features/file-types.ts';
import { unreadableText } from '../../plain-words/system-faults.ts';
import type { DocumentReference, FetchWish } from '../../service/api.ts';
import type { CliStreams } from '../streams.ts';

/** What --fetch takes. */
export const FETCH_WISHES: readonly FetchWish[] = ['auto', 'never', 'always'];

/** No index takes a document with more bytes. */
const BYTES_MAX = 512 * 2 ** 20;

/** By what a name ends in; of others the bytes say what they are. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.txt': 'text/plain',
  '.md': 'text/plain',
  '.pdf': FILE_TYPES.pdf,
  '.docx': FILE_TYPES.docx,
  '.odt': FILE_TYPES.odt,
  '.epub': FILE_TYPES.epub,
  '.rtf': FILE_TYPES.rtf,
  '.eml': FILE_TYPES.mail,
  '.mht': FILE_TYPES.mail,
  '.mhtml': FILE_TYPES.mail,
};

/** Absolute, with an authority: a file may be called `a:b`, and hardly `a://b`. */
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A document as the command line names it: by a URL, a file, or `-`.
 *
 * @param type its Content-Type, where neither name nor bytes should say
 * @throws ShingledError `input-unreadable` for a file that cannot be read
 */
export async function documentNamed(
  name: string,
  type: string | null,
  { input }: Pick<CliStreams, 'input'>,
): Promise<DocumentReference> {
  const none = { select: null, remove: null, at: null };
  if (URL_FORM.test(name)) return { url: name, body: null, ...none };
  const bytes = name === '-' ? await allOf(input) : await fileOf(name);
  const contentType = type ?? TYPES[extname(name).toLowerCase()] ?? null;
  return { url: null, body: { bytes, contentType }, ...none };
}

async function fileOf(name: string): Promise<Uint8Array> {
  try {
    return await readFile(name);
  } catch (cause) {
    throw new ShingledError('input-unreadable', unreadableText(name, cause), { cause });
  }
}

async function allOf(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX)
      throw new ShingledError('body-too-large', `Standard input has more than ${BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
