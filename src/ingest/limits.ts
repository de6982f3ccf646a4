import { defaultsOf } from '../limit-row.ts';

/** Lists in lists: an index of sitemaps has sitemaps, and those have URLs. */
export const LISTS_DEEP_MAX = 3;

const MIB = 2 ** 20;

/** What one record or file may cost where many are read, as far as somebody would set it. */
export const INGEST_LIMIT_ROWS = {
  recordBytesMax: {
    default: 16 * MIB,
    minimum: 1024,
    maximum: 512 * MIB,
    description: 'Bytes of one record: a line, an element of a list, a row.',
    reason: 'Twice the largest document that is read: JSON writes some characters as two or six.',
  },
  documentBytesMax: {
    default: 8 * MIB,
    minimum: 1024,
    maximum: 512 * MIB,
    description: 'Bytes of one file that is a document.',
    reason: 'What EXTRACT_DOCUMENT_BYTES_MAX is by default: beyond it nothing would be read.',
  },
  rowGroupBytesMax: {
    default: 256 * MIB,
    minimum: MIB,
    maximum: 16_384 * MIB,
    description: 'Bytes, unpacked, of the chosen columns of one row group of a Parquet file.',
    reason:
      'Its columns are in memory as they are packed; lists unpacked, too. Writers make row groups of 64 to 128 MiB, all columns together.',
  },
};

/** What nobody would set. */
const FIXED = {
  /** Lists and objects inside one another in one record: as over HTTP. */
  jsonDepthMax: 64,
  /** Values of one record: an embedding has some thousands, and a million take a second. */
  jsonValuesMax: 200_000,
  /** Fields of one row: the widest tables that people publish have some thousands. */
  fieldsMax: 10_000,
  /** Bytes of one line of a list of URLs, and of one address in a sitemap or feed: no index takes a longer URL than 8,192. */
  addressBytesMax: 16 * 1024,
  /** Bytes of a JSON feed, which is read at once: sitemaps may have 50 MB, and no feed comes near. */
  feedBytesMax: 50 * MIB,
  /** Bytes, unpacked, of a list that is fetched: a sitemap may have 50 MB. */
  listBytesMax: 64 * MIB,
  /** Elements inside one another in a sitemap or feed: they have six, and content that is no text some more. */
  xmlDepthMax: 64,
  /** Bytes at which a Parquet file is described: 100,000 row groups of 20 columns have 200 MB. */
  parquetFooterBytesMax: 256 * MIB,
  /** Folders inside one another: a path has at most 4,096 bytes. */
  folderDepthMax: 512,
  /** Bytes of one .gitignore file: the largest of real projects have some kilobytes. */
  ignoreFileBytesMax: MIB,
};

export const DEFAULT_INGEST_LIMITS = { ...defaultsOf(INGEST_LIMIT_ROWS), ...FIXED };
export type IngestLimits = Readonly<typeof DEFAULT_INGEST_LIMITS>;
