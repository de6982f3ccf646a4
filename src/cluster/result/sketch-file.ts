import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { ByteFile } from '../corpus/byte-file.ts';
import { writeWhole } from '../durable-files.ts';
import type { Corpus, CorpusContent } from '../port.ts';
import type { FileSeal } from './columns-file.ts';
import { putTextRecord, takeTextRecord } from './text-record.ts';

/*
 * The texts of a corpus beside its result, so that another corpus can be held against it: one behind the other in the order of
 * their numbers (text-record.ts). They are whole texts. Where contents of their own are compared, they have marks.
 *
 * sketches.json says what they were made with. Nothing else of a result needs them.
 */

const SKETCHES_VERSION = 1;
/** With marks: earlier versions of shingled must not read them. */
const MARKED_VERSION = 2;
const SKETCHES = 'sketches';
const CHUNK_BYTES = 1 << 20;

export interface SketchesJson extends FileSeal {
  readonly shingledTexts: number;
  readonly fingerprintId: string;
  readonly texts: number;
}

/** Whether sketches say which part of each text is main. */
export const haveMarks = ({ shingledTexts }: SketchesJson): boolean => shingledTexts === MARKED_VERSION;

/** The same corpus, whose texts are written to a folder while it is read. */
export function withSketches(corpus: Corpus, folder: string): Corpus {
  return {
    ...corpus,
    fingerprint: `${corpus.fingerprint} with sketches`,
    readInto: async (sink, told, signal) => {
      const path = join(folder, SKETCHES);
      rmSync(`${path}.new`, { force: true });
      const file = await ByteFile.create(`${path}.new`, { isHashed: true });
      let [texts, isMarked] = [0, false];
      const contents = (some: readonly CorpusContent[]) => {
        const numbers = sink.contents(some);
        for (const [i, one] of some.entries()) {
          if (numbers[i]! < texts) continue;
          texts++;
          isMarked = one.marks !== undefined;
          putTextRecord(one, (bytes) => file.write(bytes));
        }
        return numbers;
      };
      const room = async (heldBytes?: number) => {
        await file.room();
        await sink.room(heldBytes);
      };
      const outer = { contents, document: sink.document.bind(sink), room };
      const ended = async () => {
        try {
          const reading = await corpus.readInto(outer, told, signal);
          return { reading, sha256: await file.end() };
        } finally {
          await file.close();
        }
      };
      const { reading, sha256 } = await ended();
      const json: SketchesJson = {
        shingledTexts: isMarked ? MARKED_VERSION : SKETCHES_VERSION,
        ...{ fingerprintId: reading.fingerprintId ?? '', texts },
        ...{ bytes: file.size, sha256 },
      };
      renameSync(`${path}.new`, path);
      writeWhole(`${path}.json`, [Buffer.from(`${JSON.stringify(json)}\n`)]);
      return reading;
    },
  };
}

/** What the sketches of a result were made with; null where it has none. @throws ShingledError `result-damaged` */
export function sketchesIn(folder: string): SketchesJson | null {
  const path = join(folder, `${SKETCHES}.json`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  try {
    const json = JSON.parse(text) as SketchesJson;
    if (json.shingledTexts === SKETCHES_VERSION || haveMarks(json)) return json;
  } catch (cause) {
    throw new ShingledError('result-damaged', `${path} is no JSON.`, { cause });
  }
  throw new ShingledError('result-damaged', `${path} is of another version of shingled.`);
}

/**
 * All texts in the order of their numbers.
 *
 * @throws ShingledError `result-damaged`; at the end for what the checksum alone shows
 */
export function* readSketches(folder: string, json: SketchesJson): Generator<CorpusContent, void, undefined> {
  const path = join(folder, SKETCHES);
  const damaged = () => new ShingledError('result-damaged', `${path} is not what was written.`);
  const file = new Ahead(path);
  try {
    for (let text = 0; text < json.texts; text++) {
      const content = takeTextRecord((size) => file.take(size), haveMarks(json));
      if (content === null) throw damaged();
      yield content;
    }
    if (file.place !== json.bytes || file.take(1) !== null || file.end() !== json.sha256) throw damaged();
  } finally {
    file.close();
  }
}

/** The bytes of a file, one after the other. */
class Ahead {
  /** Bytes that were taken. */
  place = 0;
  private readonly file: number;
  private readonly hash = createHash('sha256');
  private held = Buffer.alloc(0);

  constructor(path: string) {
    try {
      this.file = openSync(path, 'r');
    } catch (cause) {
      throw new ShingledError('result-damaged', `${path} cannot be read.`, { cause });
    }
  }

  /** The next `size` bytes, valid until the next call; null if fewer are left. */
  take(size: number): Buffer | null {
    while (this.held.length < size) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(this.file, chunk);
      if (read === 0) return null;
      this.hash.update(chunk.subarray(0, read));
      this.held = Buffer.concat([this.held, chunk.subarray(0, read)]);
    }
    const taken = this.held.subarray(0, size);
    this.held = this.held.subarray(size);
    this.place += size;
    return taken;
  }

  /** The SHA-256 of all that was read. */
  end(): string {
    return this.hash.digest('hex');
  }

  close(): void {
    closeSync(this.file);
  }
}
