import type { Input } from './inputs/inputs.ts';
import type { IsAsBefore, ItemRuns, Position } from './port.ts';
import type { TableOptions } from './records/tables/dialect.ts';
import type { RewritePlan } from './rewrite/port.ts';

/** Where records come from: what stands between the command line and the readers of `src/ingest`. */
export interface IngestSources {
  /**
   * What is to be read, in its order.
   *
   * @param names files, folders, globs, addresses of lists, `-` for standard input, as they were named
   * @param written files that are to be written beside
   * @throws ShingledError `invalid-request`, naming the one where nothing is, or a written one that would be read as a document
   */
  find(names: readonly string[], written?: readonly string[]): Promise<readonly Input[]>;
  /**
   * Opens inputs one after the other, each when the one before has been read. What cannot be read is an item.
   *
   * @param from where to go on: inputs before its own are passed over; null = from the beginning
   * @param isAsBefore asked of the files in folders; absent: all are read
   * @throws ShingledError `invalid-request` for fields, a prefix or a format that are none, at once; and where two inputs
   * may give one URL
   */
  openInputs(
    inputs: readonly Input[],
    fields: InputFields,
    from: Position | null,
    isAsBefore?: IsAsBefore,
  ): AsyncIterable<OpenedInput>;
  /** Once inputs were opened and read from their beginning to their end: a line for each pattern that met nothing. */
  patternWords(): readonly string[];
  /** What inputs are, in a text that is equal where nothing of them has changed. @throws ShingledError `input-unreadable` */
  marksOf(inputs: readonly Input[], fields: InputFields): Promise<string>;
  /**
   * Looks at inputs that are to be copied without some of their records.
   *
   * @param out where the copy goes: as planRewrite has it (rewrite/rewrite-inputs.ts), which says what it throws
   */
  planRewrite(inputs: readonly Input[], fields: InputFields, out: string): Promise<RewritePlan>;
  /** The items of a list that another list names, such as a sitemap of an index of sitemaps; asked for after the inputs. */
  readonly openList: (url: string) => ItemRuns;
  /**
   * Fetches the document of a URL that a list names, as a crawl does.
   *
   * @throws ShingledError as a fetcher does
   */
  readonly fetchDocument: (url: string, signal?: AbortSignal) => Promise<FetchedPage>;
  close(): Promise<void>;
}

export interface FetchedPage {
  /** After content decoding. */
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly httpStatus: number;
}

export interface OpenedInput {
  /** As it was named or found. */
  readonly input: string;
  /** Bytes on disk of this input and of all behind it; null if nobody can know. Asking begins the counting. */
  readonly bytesAhead: () => number | 'counting' | null;
  readonly items: ItemRuns;
}

/** How records become documents; null: by what each kind of file calls it. */
export interface InputFields {
  readonly url: string | null;
  readonly text: string | null;
  readonly html: string | null;
  /** Absent where not told, as in the state of a run that began before there were any. */
  readonly features?: string;
  readonly date: string | null;
  /** Whether nothing is a date. Absent where not told, as in older states. */
  readonly noDate?: true;
  /** Whether a record stays if the field that `date` names holds no date. */
  readonly areDatesSpare?: true;
  /** How tables are written. Absent where not told, as in older states. */
  readonly table?: TableOptions;
  readonly meta: readonly string[];
  /** Of the URLs of files that have none of their own. */
  readonly urlPrefix: string | null;
  /** What kind of file it is, where neither name nor content should say. */
  readonly format: string | null;
  /** In which charset is what declares none. Absent where not told, as in older states. */
  readonly charset?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly gitignore: boolean;
}
