import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ShingledError } from '../../../src/errors.ts';
import { DETECT_BYTES, detectFormat } from '../../../src/ingest/inputs/detect.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { xmlListReader } from '../../../src/ingest/lists/xml-lists.ts';
import type { IngestItem, UnpackedChunk } from '../../../src/ingest/port.ts';

/** Under which the tests of feedparser serve their files. */
const HOST = 'http://127.0.0.1:8097/';
/** Such as `Expect: not bozo and entries[0]['link'] == 'http://a.example/'`. */
const EXPECTED = /Expect:.*?\bentries\[0\](?:\['link'\]|\.link)\s*==\s*u?'([^']*)'/;

export interface FeedTrial {
  readonly path: string;
  /** How it is detected by what it holds: xml-list, say, or refused. */
  readonly detected: string;
  readonly pages: number;
  readonly refused: readonly string[];
  /** What the file says of its first link; null: nothing. */
  readonly expected: string | null;
  readonly found: string;
  /** Other than a typed refusal; null: none. */
  readonly crash: string | null;
}

/** Reads each .xml in a folder and in those in it as a feed fetched from an address. */
export async function triedFeeds(folder: string): Promise<FeedTrial[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile() && file.name.endsWith('.xml'));
  const trials: FeedTrial[] = [];
  for (const { parentPath, name } of paths) trials.push(await tried(folder, join(parentPath, name)));
  return trials;
}

async function tried(folder: string, path: string): Promise<FeedTrial> {
  const bytes = readFileSync(path);
  const file = relative(folder, path);
  const expected = EXPECTED.exec(bytes.toString('utf8'))?.[1] ?? null;
  const trial = { path: file, expected, detected: detectedAs(file, bytes) };
  try {
    const items = await readItems(`${HOST}${file}`, bytes);
    const pages = items.flatMap((item) => ('wanted' in item ? [item.wanted] : []));
    const refused = items.flatMap((item) => ('refused' in item ? [item.detail ?? item.refused] : []));
    return { ...trial, pages: pages.length, refused, found: pages[0] ?? refused[0] ?? 'nothing', crash: null };
  } catch (error) {
    return { ...trial, pages: 0, refused: [], found: 'nothing', crash: String(error) };
  }
}

function detectedAs(file: string, bytes: Uint8Array): string {
  try {
    const isWhole = bytes.length <= DETECT_BYTES;
    return detectFormat({ file, head: bytes.subarray(0, DETECT_BYTES), isWhole }, null).format;
  } catch (error) {
    if (error instanceof ShingledError) return 'refused';
    throw error;
  }
}

async function readItems(file: string, bytes: Uint8Array): Promise<IngestItem[]> {
  async function* chunks(): AsyncGenerator<UnpackedChunk> {
    yield { bytes, byte: 0, begins: false, damage: null };
  }
  const items: IngestItem[] = [];
  for await (const run of xmlListReader(DEFAULT_INGEST_LIMITS)({ file, chunks: chunks() }, null)) items.push(...run);
  return items;
}
