import type { Entry } from 'yauzl';
import type { IngestItem, Position } from '../port.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import type { EarlierRecords } from '../warc/earlier-records.ts';
import { readWarc } from '../warc/warc.ts';
import { DamagedArchive } from './member.ts';
import { isStored, whyNotUnpacked, type ZipFile } from './zip-file.ts';

/*
 * WACZ, a web archive in a zip, as the WARC files in it:
 *
 *   datapackage.json │ archive/a.warc.gz │ archive/b.warc.gz │ indexes/… │ pages/pages.jsonl
 *
 * A place in a WARC file that is stored as it is, as the rules want it, is one of the zip, so reading can go on at each. If a
 * WARC file is packed again, records are passed over from its beginning.
 */

export const isDataPackage = (name: string) => name === 'datapackage.json';
export const isWarcInWacz = (name: string) => /^archive\/.*\.(?:warc|wet|arc)(?:\.gz|\.zst)?$/i.test(name);

/** @param warcs its WARC files, in their order. @throws what reading the file throws */
export async function* readWacz(
  zip: ZipFile,
  warcs: readonly Entry[],
  from: Position | null,
  earlier: EarlierRecords,
): AsyncGenerator<IngestItem, void, undefined> {
  let record = from?.record ?? 0;
  let place = from;
  const inOrder = [...warcs].sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const entry of inOrder) {
    const { path: file } = zip;
    const name = entry.fileNameRaw.toString();
    const start = await startOf(zip, entry);
    const end = (typeof start === 'number' ? start : entry.relativeOffsetOfLocalHeader) + entry.compressedSize;
    if (place !== null && place.byte > end) continue;
    if (typeof start === 'string') {
      const next = { file, byte: end + 1, skip: 0, record: ++record };
      place = null;
      yield { at: name, next, bytes: 0, refused: 'unreadable', detail: start, url: null };
      continue;
    }
    const isExact = isStored(entry);
    const within = {
      file,
      byte: isExact && place !== null ? Math.max(0, place.byte - start) : 0,
      skip: place?.skip ?? 0,
      record,
    };
    let skip = within.skip;
    place = null;
    const opened = openBytes(name, zip.stream(entry, start), within.byte);
    try {
      for await (const item of readWarc(opened, within, { format: formatOf(name), earlier })) {
        record = item.next.record;
        skip++;
        const next = isExact
          ? { ...item.next, file, byte: start + item.next.byte }
          : { file, byte: start, skip, record };
        yield { ...item, at: `${name}, ${item.at}`, next };
      }
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (!code.startsWith('Z_') && !(error instanceof DamagedArchive)) throw error;
      const next = { file, byte: end + 1, skip: 0, record: ++record };
      yield {
        at: name,
        next,
        bytes: 0,
        refused: 'damaged',
        detail: `It cannot be unpacked to its end: ${message}.`,
        url: null,
      };
    }
  }
}

const formatOf = (name: string) => (/\.arc(?:\.|$)/i.test(name) ? 'arc' : 'warc');

/** Where the data of a member begin; or why it cannot be read. */
async function startOf(zip: ZipFile, entry: Entry): Promise<number | string> {
  const why = whyNotUnpacked(entry);
  if (why !== null) return why;
  try {
    return await zip.dataStart(entry);
  } catch (error) {
    if (error instanceof DamagedArchive) return `It is damaged: ${error.message}.`;
    throw error;
  }
}
