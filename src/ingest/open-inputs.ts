import { createReadStream } from 'node:fs';
import { ShingledError } from '../errors.ts';
import { systemFault } from '../plain-words/system-faults.ts';
import { readTar, readZip } from './archives/archive-inputs.ts';
import { withToldCharset } from './decode/told-charset.ts';
import type { RecordMap } from './fields/record-map.ts';
import { headOf } from './head.ts';
import { type ByteFormat, DETECT_BYTES, detectFormat, type Format } from './inputs/detect.ts';
import { type FolderOptions, readFolder } from './inputs/folder-files.ts';
import { FolderSize } from './inputs/folder-size.ts';
import type { WalkOptions } from './inputs/folder-walk.ts';
import type { Input } from './inputs/inputs.ts';
import { readParquetFile } from './inputs/parquet-file.ts';
import type { PatternWatch } from './inputs/patterns/pattern-watch.ts';
import type { IngestLimits } from './limits.ts';
import type { IngestItem, IsAsBefore, ItemRuns, OpenedBytes, Position, UnpackedChunk } from './port.ts';
import { readerOf } from './readers.ts';
import { oneByOne } from './records/runs.ts';
import type { InputFields, OpenedInput } from './sources.ts';
import { openBytes } from './unpack/open-bytes.ts';
import { EarlierRecords } from './warc/earlier-records.ts';
import { readWarc } from './warc/warc.ts';

/*
 * Inputs, one after the other, to items:
 *
 *   folder   ─ walk ──────────────────────────────────┐
 *   file     ─┬─ unpacked ─ head ─ what is it? ─┬─ reader of its kind ─┤
 *   pipe, -  ─┤                                 ├─ archive ────────────┤── items, each with the place behind it
 *   URL      ─ fetched ┘                        ├─ tar, zip: its members┤
 *                                              └─ Parquet, by its path┘
 *
 * What cannot be read, or told, is one refused item; behind it the next input begins.
 */

export interface OpenParts {
  readonly map: RecordMap;
  readonly limits: IngestLimits;
  readonly fields: InputFields;
  readonly format: Format | null;
  /** Of what declares none itself, by its WHATWG name; absent: it was not told. */
  readonly charset?: string | null;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly fetchList: FetchList;
  readonly isAsBefore?: IsAsBefore;
  /** As {@link WalkOptions.ownFolder}; if absent, all folders are entered. */
  readonly ownFolder?: WalkOptions['ownFolder'];
  /** Of the patterns of options; absent: nobody asks which of them met nothing. */
  readonly watch?: PatternWatch;
  /** Of the run, for revisits in archives. */
  readonly earlier?: EarlierRecords;
}

/** What is at an address. @throws ShingledError whatever fetching throws */
export type FetchList = (url: string) => Promise<{ readonly finalUrl: string; readonly bytes: Uint8Array }>;

/** @param from where to go on; null = from the beginning */
export async function* openInputs(
  inputs: readonly Input[],
  ofRun: OpenParts,
  from: Position | null,
): AsyncGenerator<OpenedInput, void, undefined> {
  const parts = { earlier: new EarlierRecords(), ...ofRun };
  const first = from?.input ?? 0;
  const folders = new Map(inputs.filter(({ kind }) => kind === 'folder').map((input) => [input, sizeOf(input, parts)]));
  const bytesFrom = (at: number) => {
    const sizes = inputs.slice(at).map((input) => folders.get(input)?.bytes ?? input.size);
    if (!sizes.includes(null)) return sizes.reduce<number>((sum, size) => sum + size!, 0);
    return inputs.slice(at).some((input) => folders.get(input)?.isCounting === true) ? 'counting' : null;
  };
  try {
    for (const [at, input] of inputs.entries()) {
      if (at < first) continue;
      const begin = at === first && from !== null && from.record > 0 ? from : null;
      const items = placed(inToldCharset(itemsOf(input, parts, begin), parts), input.name, at);
      yield { input: input.name, bytesAhead: () => bytesFrom(at), items };
    }
    parts.watch?.end();
  } finally {
    for (const folder of folders.values()) folder.stop();
  }
}

const sizeOf = ({ name }: Input, parts: OpenParts) => new FolderSize(walkOf(name, parts), parts.limits);

/** How the files of a folder are found. */
export function walkOf(root: string, { fields, ownFolder }: Pick<OpenParts, 'fields' | 'ownFolder'>): WalkOptions {
  const { include, exclude, gitignore } = fields;
  return { root, include, exclude, gitignore, hidden: false, ...(ownFolder === undefined ? {} : { ownFolder }) };
}

/** The items of a list that a list names. */
export async function* openList(url: string, parts: OpenParts): ItemRuns {
  yield* placed(fetched(url, parts, null, false), url, 0);
}

async function* inToldCharset(runs: ItemRuns, { charset = null }: OpenParts): ItemRuns {
  if (charset === null) yield* runs;
  else for await (const items of runs) yield items.map((item) => withToldCharset(item, charset));
}

/** Items that say which input they are of. What reading the input throws is one of them. */
async function* placed(runs: ItemRuns, name: string, input: number): ItemRuns {
  try {
    for await (const items of runs) yield items.map((item) => ({ ...item, next: { ...item.next, input } }));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const isOurs = error instanceof ShingledError;
    const refused = isOurs && error.field === 'format' ? 'malformed' : 'unreadable';
    const detail = isOurs ? error.message : `It cannot be read: ${systemFault(error)}.`;
    const next = { file: name, byte: 0, skip: 0, record: 0, input: input + 1 };
    yield [{ at: 'the input', next, bytes: 0, refused, detail, url: null, hides: true }];
  }
}

function itemsOf(input: Input, parts: OpenParts, from: Position | null): ItemRuns {
  const { name, kind, mtimeMs } = input;
  if (kind === 'folder') return oneByOne(folderItems(name, parts, from));
  if (kind === 'url') return fetched(name, parts, from, true);
  if (kind === 'file') return fileItems(input, parts, from);
  const stream = name === '-' ? parts.stdin : createReadStream(name);
  return bytesItems(openBytes(name, stream), name, { parts, mtimeMs, from });
}

async function* folderItems(
  name: string,
  parts: OpenParts,
  from: Position | null,
): AsyncGenerator<IngestItem, void, undefined> {
  const { fields, limits, isAsBefore, watch } = parts;
  const before = name.endsWith('/') ? name : `${name}/`;
  const asked: Pick<FolderOptions, 'isAsBefore'> =
    isAsBefore === undefined ? {} : { isAsBefore: (url, path, mark) => isAsBefore(url, before + path, mark) };
  watch?.begin();
  const options = {
    ...walkOf(name, parts),
    urlPrefix: fields.urlPrefix,
    ...asked,
    ...(watch === undefined ? {} : { watch }),
  };
  const within = from === null ? null : { ...from, file: from.file.slice(before.length) };
  for await (const item of readFolder(options, limits, within)) {
    yield { ...item, at: 'the file', next: { ...item.next, file: before + item.next.file } };
  }
}

async function* fileItems({ name, mtimeMs }: Input, parts: OpenParts, from: Position | null): ItemRuns {
  const { map, limits } = parts;
  const { head, isWhole, isPacked, chunks, close } = await headOf(openBytes(name).chunks, DETECT_BYTES);
  let isTaken = false;
  try {
    const detected = detectFormat({ file: name, head, isWhole }, parts.format, parts.charset);
    if (detected.format === 'parquet') yield* oneByOne(readParquetFile(name, map, limits, from));
    else if (detected.format === 'tar') yield* oneByOne(readTar(name, null, parts, from));
    else if (detected.format === 'zip' && isPacked) {
      throw untold(`${name} is a packed zip, which cannot be read from its end: unpack it once.`);
    } else if (detected.format === 'zip') yield* oneByOne(readZip(name, parts, from));
    else if (from !== null) yield* readAs(detected, openBytes(name, null, from.byte), { parts, mtimeMs, from });
    else {
      isTaken = true;
      yield* readAs(detected, { file: name, chunks }, { parts, mtimeMs, from });
    }
  } finally {
    if (!isTaken) await close();
  }
}

interface How {
  readonly parts: OpenParts;
  readonly mtimeMs: number | null;
  readonly from: Position | null;
}

type Readable = ByteFormat | { readonly format: 'warc' } | { readonly format: 'arc' };

/** The items of bytes, by what they hold. */
export function readAs(detected: Readable, bytes: OpenedBytes, how: How) {
  const { parts, mtimeMs, from } = how;
  const { map, limits, fields, earlier = new EarlierRecords() } = parts;
  if (detected.format === 'warc' || detected.format === 'arc') {
    const options = { format: detected.format, earlier, isDated: fields.noDate !== true };
    return oneByOne(readWarc(bytes, from, options));
  }
  const { table = {}, urlPrefix } = fields;
  return readerOf(detected, { map, limits, table, urlPrefix, mtimeMs })(bytes, from);
}

/** Bytes that come once, from their beginning. @param name by which their kind is told */
async function* bytesItems(opened: OpenedBytes, name: string, how: How): ItemRuns {
  const { format, fields, charset } = how.parts;
  const { head, isWhole, chunks } = await headOf(opened.chunks, DETECT_BYTES);
  const detected = detectFormat({ file: name, head, isWhole }, format, charset);
  if (detected.format === 'zip') {
    throw untold('A zip is read from its end, so it cannot come from a stream: name a file, or pack it as a tar.');
  }
  if (detected.format === 'tar') {
    yield* oneByOne(readTar(name, { file: opened.file, chunks }, how.parts, how.from));
    return;
  }
  if (detected.format === 'parquet') {
    throw untold('Parquet is read from its end, so it cannot come from a stream: name a file.');
  }
  if (detected.format === 'document' && fields.urlPrefix === null) {
    throw untold('A document that comes from a stream has no URL: a prefix would give it one.');
  }
  yield* readAs(detected, { file: opened.file, chunks }, how);
}

async function* fetched(url: string, parts: OpenParts, from: Position | null, isNamed: boolean): ItemRuns {
  const { finalUrl, bytes } = await parts.fetchList(url);
  const stream = (async function* () {
    yield bytes;
  })();
  const opened = openBytes(finalUrl, stream).chunks;
  const { head, isWhole, chunks, close } = await headOf(bounded(opened, parts.limits.listBytesMax), DETECT_BYTES);
  const file = new URL(finalUrl).pathname;
  const detected = detectFormat({ file, head, isWhole }, parts.format, parts.charset);
  if (detected.format === 'urls' || detected.format === 'xml-list' || detected.format === 'json-feed') {
    yield* readAs(detected, { file: finalUrl, chunks }, { parts, mtimeMs: null, from: from && { ...from, byte: 0 } });
    return;
  }
  await close();
  if (!isNamed || detected.format !== 'document') {
    throw untold(
      `${url} is no list of URLs, no sitemap and no feed. Files of records are read from the disk, or from -.`,
    );
  }
  // a page that was named by itself
  if (from !== null) return;
  const next = { file: url, byte: 0, skip: 1, record: 1 };
  yield [{ at: 'the page', next, bytes: 0, wanted: url, lastModified: null, isNamed: true }];
}

async function* bounded(chunks: AsyncIterable<UnpackedChunk>, bytesMax: number): AsyncGenerator<UnpackedChunk> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.bytes.length;
    if (length > bytesMax) throw untold(`The list has more than ${bytesMax} bytes, unpacked.`);
    yield chunk;
  }
}

const untold = (detail: string) => new ShingledError('invalid-request', detail, { field: 'format' });
