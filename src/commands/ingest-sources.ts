import { basename } from 'node:path';
import { isResultFolder } from '../cluster/result/result-folder.ts';
import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { ShingledError } from '../errors.ts';
import { GuardedFetcher } from '../fetch/guarded-fetcher.ts';
import { FETCH_LIMIT_ROWS } from '../fetch/limits.ts';
import { readBulkLine } from '../http/routes/bulk-line.ts';
import type { FieldNames } from '../ingest/fields/field-names.ts';
import { createRecordMap } from '../ingest/fields/record-map.ts';
import { readPrefix } from '../ingest/fields/url-prefix.ts';
import { FORMATS, type Format } from '../ingest/inputs/detect.ts';
import { fileOfName, unpackedName } from '../ingest/inputs/file-names.ts';
import { findInputs, type Input } from '../ingest/inputs/inputs.ts';
import { checkNameSpaces } from '../ingest/inputs/name-spaces.ts';
import { bracesExpanded } from '../ingest/inputs/patterns/path-braces.ts';
import { PatternWatch, type ToldPattern } from '../ingest/inputs/patterns/pattern-watch.ts';
import { DEFAULT_INGEST_LIMITS, INGEST_LIMIT_ROWS } from '../ingest/limits.ts';
import { type FetchList, type OpenParts, openInputs, openList } from '../ingest/open-inputs.ts';
import { planRewrite } from '../ingest/rewrite/rewrite-inputs.ts';
import { marksOf } from '../ingest/rewrite/unchanged.ts';
import type { IngestSources, InputFields } from '../ingest/sources.ts';
import { liesIn } from '../nested-folders.ts';
import { didYouMean } from '../plain-words/near-name.ts';
import { isBeingLoaded, isIndex } from '../store/level/folder/folder-parts.ts';

/** What `shingled ingest` reads from. @param stdin standard input, asked for when it is named */
export function createIngestSources(config: Config, stdin: AsyncIterable<Uint8Array>): IngestSources {
  const fetched = fetchedBy(config);
  const limits = { ...DEFAULT_INGEST_LIMITS, ...limitsFrom(config, 'INGEST_', INGEST_LIMIT_ROWS) };
  const partsOf = (told: InputFields): OpenParts => {
    const include = patternsOf(told, 'include').flatMap(({ expanded }) => expanded);
    const exclude = patternsOf(told, 'exclude').flatMap(({ expanded }) => expanded);
    const urlPrefix = told.urlPrefix === null ? null : readPrefix(told.urlPrefix);
    const fields = { ...told, include, exclude, urlPrefix };
    const areDatesSpare = fields.areDatesSpare === true;
    const map = createRecordMap({ fields: fieldNames(fields), urlPrefix, areDatesSpare, bulkLine: readBulkLine });
    const [format, charset] = [formatOf(fields.format), charsetOf(fields.charset)];
    return { map, limits, fields, format, charset, stdin, fetchList: fetched.list, ownFolder };
  };
  let watch: PatternWatch | null = null;
  return {
    find: findDocuments,
    openInputs: (inputs, fields, from, isAsBefore) => {
      const parts = { ...partsOf(fields), ...(isAsBefore === undefined ? {} : { isAsBefore }) };
      checkNameSpaces(inputs, parts.fields);
      // of what was read before, a run that goes on knows nothing
      watch =
        from === null ? new PatternWatch([...patternsOf(fields, 'include'), ...patternsOf(fields, 'exclude')]) : null;
      return openInputs(inputs, watch === null ? parts : { ...parts, watch }, from);
    },
    patternWords: () => watch?.words ?? [],
    marksOf: (inputs, fields) => marksOf(inputs, partsOf(fields)),
    planRewrite: (inputs, fields, out) => planRewrite(inputs, partsOf(fields), out),
    openList: (url) => openList(url, partsOf(ANY_FIELDS)),
    fetchDocument: fetched.document,
    close: fetched.close,
  };
}

/** @throws ShingledError `invalid-request` for a folder that shingled made: its files are no documents */
async function findDocuments(names: readonly string[], written: readonly string[] = []): Promise<Input[]> {
  const inputs = await findInputs(names);
  for (const { kind, name } of inputs) {
    const own = kind === 'folder' ? ownFolder(name) : null;
    if (own === null) continue;
    const detail = `${name} is ${own}, which keeps no documents: name the folder or the files from which it was made.`;
    throw new ShingledError('invalid-request', detail, { field: name });
  }
  for (const file of written) {
    const name = basename(file);
    // they are passed over by their names
    if (name.startsWith('.') || fileOfName(unpackedName(name)).refusal !== null) continue;
    for (const { kind, name: folder } of inputs) {
      if (kind !== 'folder' || !(await liesIn(file, folder))) continue;
      const detail = `${file} would be read as a document of ${folder}: name a file elsewhere, or one that ends in .json.`;
      throw new ShingledError('invalid-request', detail, { field: file });
    }
  }
  return inputs;
}

/** What a folder is that shingled made, such as "an index"; null for all others. None of them keeps documents. */
function ownFolder(path: string): string | null {
  if (isIndex(path) || isBeingLoaded(path)) return 'an index';
  return isResultFolder(path) ? 'a result of shingled cluster' : null;
}

/** Lists in lists say by themselves what they are. */
const ANY_FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

function patternsOf(fields: InputFields, option: 'include' | 'exclude'): ToldPattern[] {
  return fields[option].map((pattern) => ({ option, pattern, expanded: bracesExpanded(pattern, option) }));
}

function fieldNames({ url, text, html, features, date, noDate, meta }: InputFields): FieldNames {
  return {
    ...(url === null ? {} : { url }),
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    ...(features === undefined ? {} : { features }),
    ...(noDate === true ? { date: false as const } : date === null ? {} : { date }),
    ...(meta.length === 0 ? {} : { meta }),
  };
}

function formatOf(name: string | null): Format | null {
  const format = FORMATS.find((known) => known === name) ?? null;
  if (name === null || format !== null) return format;
  const detail = `--format takes one of ${FORMATS.join(', ')}: not "${name}".${didYouMean(name, FORMATS)}`;
  throw new ShingledError('invalid-request', detail, { field: 'format' });
}

const LIKELY_CHARSETS = [
  ...['utf-8', 'utf-16le', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'iso-8859-2', 'koi8-r', 'gbk', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'],
];

/** @returns its WHATWG name; null: none was told */
function charsetOf(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const detail = `--charset takes a name such as ${LIKELY_CHARSETS.join(', ')}: not "${label}".${didYouMean(label, LIKELY_CHARSETS)}`;
    throw new ShingledError('invalid-request', detail, { field: 'charset' });
  }
}

interface Fetched extends Pick<IngestSources, 'close'> {
  readonly list: FetchList;
  readonly document: IngestSources['fetchDocument'];
}

/** Fetches as a crawl does: by robots.txt, with a distance between requests to one host. */
function fetchedBy(config: Config): Fetched {
  let made: GuardedFetcher | null = null;
  const fetcher = () => {
    made ??= new GuardedFetcher({
      ...limitsFrom(config, 'FETCH_', FETCH_LIMIT_ROWS),
      portsAllowed: config.FETCH_PORTS,
      privateAllowed: config.FETCH_ALLOWED_PRIVATE,
      denied: config.FETCH_DENIED,
      tellsReasons: true,
      userAgent: config.FETCH_USER_AGENT,
    });
    return made;
  };
  return {
    list: async (url) => {
      const { finalUrl, bytes, httpStatus } = await fetcher().fetch(url, { purpose: 'crawl', accept: 'list' });
      if (httpStatus >= 400) throw new ShingledError('fetch-status', `The server answered with status ${httpStatus}.`);
      return { finalUrl, bytes };
    },
    document: (url, signal) => fetcher().fetch(url, { purpose: 'crawl', ...(signal === undefined ? {} : { signal }) }),
    close: async () => made?.close(),
  };
}
