import type { IngestItem, OpenedBytes, Position } from '../port.ts';
import { FOUND, Spans } from '../traced.ts';
import { ARC_FORM } from './arc-head.ts';
import { EarlierRecords } from './earlier-records.ts';
import { RecordBytes } from './record-bytes.ts';
import { type RecordForm, targetOf, WARC_FORM } from './record-head.ts';
import { isOfDocument, type Meaning, type MeaningContext, meaningOf } from './record-meaning.ts';
import { BLOCK_BYTES_MAX, type Found, readRecords } from './records.ts';

export type ArchiveFormat = 'warc' | 'arc';

/** What is known of an archive beside its bytes. */
export interface ArchiveOptions extends Partial<MeaningContext> {
  readonly format?: ArchiveFormat;
}

export const formOf = (format: ArchiveFormat): RecordForm => (format === 'arc' ? ARC_FORM : WARC_FORM);

/**
 * Reads an archive of WARC/0.18, 1.0 or 1.1 (ISO 28500), WET among them, or of ARC: each record is an item, and so is what was
 * damaged between records. Of a file that is not packed, reading can go on at each; of a packed one where a member begins with
 * one.
 *
 * @param bytes opened where `from` says. Throws what reading them throws
 * @param earlier the records of the run, where several archives are of one
 */
export async function* readWarc(
  opened: OpenedBytes,
  from: Position | null,
  { format = 'warc', earlier = new EarlierRecords(), isDated = true }: ArchiveOptions = {},
): AsyncGenerator<IngestItem, void, undefined> {
  const { file } = opened;
  const bytes = new RecordBytes(opened.chunks);
  const spans = new Spans(opened);
  let gaps = 0;
  const { byte = 0, skip = 0, record = 0 } = from ?? {};
  let begin: Position = { file, byte, skip: 0, record: record - skip };
  try {
    for await (const found of readRecords(formOf(format), bytes)) {
      const { place } = bytes;
      const begun = place.isExact ? { byte: place.byte, skip: 0 } : { byte: begin.byte, skip: begin.skip + 1 };
      const next = { file, ...begun, record: begin.record + 1 };
      const at =
        begin.skip === 0 ? `record at byte ${begin.byte}` : `record ${begin.skip + 1} from byte ${begin.byte} on`;
      begin = next;
      const isTorn = found.is === 'damaged' && bytes.gaps > gaps;
      gaps = bytes.gaps;
      const span = spans.to(bytes.passed, isTorn);
      const made =
        opened.isTraced === true && found.is !== 'damaged' ? FOUND : meaningOfFound(found, { earlier, isDated });
      if (next.record > record) yield { at, next, bytes: found.bytes, span, ...made };
    }
  } finally {
    await bytes.close();
  }
}

function meaningOfFound(found: Found, context: MeaningContext): Meaning {
  switch (found.is) {
    case 'record':
      return meaningOf(found.head, found.block, context);
    case 'damaged':
      return { refused: 'damaged', detail: found.detail, url: found.url };
    case 'too-large': {
      const { head } = found;
      if (!isOfDocument(head))
        return { refused: 'no-document', detail: 'a large record that is none', url: targetOf(head) };
      const detail = `its block has ${head.length} bytes, of ${BLOCK_BYTES_MAX} at most`;
      return { refused: 'too-large', detail, url: targetOf(head) };
    }
  }
}
