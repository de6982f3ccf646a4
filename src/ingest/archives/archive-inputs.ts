import { pathToFileURL } from 'node:url';
import { ShingledError } from '../../errors.ts';
import type { PatternWatch } from '../inputs/patterns/pattern-watch.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, OpenedBytes, Position } from '../port.ts';
import type { InputFields } from '../sources.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { EarlierRecords } from '../warc/earlier-records.ts';
import { readArchive } from './archive-documents.ts';
import { type ArchiveMember, DamagedArchive } from './member.ts';
import { MemberFilter } from './member-filter.ts';
import { tarMembers } from './tar-members.ts';
import { isDataPackage, isWarcInWacz, readWacz } from './wacz.ts';
import { ZipFile } from './zip-file.ts';
import { surveyZip, zipMembers } from './zip-members.ts';

/*
 * A tar or zip that is an input: documents, as in a folder, or, if a zip is a WACZ, records of the WARC files in it. A tar is
 * read as it comes, also from a stream; a zip by its directory, from a file.
 */

export interface ArchiveParts {
  readonly fields: Pick<InputFields, 'urlPrefix' | 'include' | 'exclude' | 'gitignore'>;
  readonly limits: IngestLimits;
  readonly watch?: PatternWatch;
  /** Of the web archives of a run. */
  readonly earlier?: EarlierRecords;
}

type Items = AsyncGenerator<IngestItem, void, undefined>;

/**
 * @param file its name
 * @param opened its bytes from their beginning, where they come but once
 * @throws ShingledError `invalid-request` for what a stream cannot have; what reading the archive throws
 */
export async function* readTar(
  file: string,
  opened: OpenedBytes | null,
  parts: ArchiveParts,
  from: Position | null,
): Items {
  const { gitignore } = parts.fields;
  if (opened !== null && gitignore) {
    throw refused(
      '--gitignore: of a tar that comes from a stream it is known too late which files are left out: name a file.',
    );
  }
  const ignores = gitignore ? await ignoresIn(tarMembers(openBytes(file), 0), parts.limits) : NONE;
  const begin = from?.byte ?? 0;
  const members = tarMembers(opened ?? openBytes(file, null, begin), begin);
  yield* readArchive(members, optionsOf(file, parts, ignores), from);
}

/** @throws ShingledError `invalid-request` for a bomb; what reading the archive throws */
export async function* readZip(file: string, parts: ArchiveParts, from: Position | null): Items {
  const zip = await ZipFile.open(file);
  try {
    const survey = await surveyZip(zip, (name) => isDataPackage(name) || isWarcInWacz(name));
    if (survey.overlaps) throw refused(`${file} is not read: its members lie over one another, as in a zip bomb.`);
    const warcs = survey.wanted.filter(({ fileNameRaw }) => isWarcInWacz(fileNameRaw.toString()));
    if (warcs.length > 0 && warcs.length < survey.wanted.length) {
      yield* readWacz(zip, warcs, from, parts.earlier ?? new EarlierRecords());
      return;
    }
    const ignores = parts.fields.gitignore ? await ignoresIn(zipMembers(zip), parts.limits) : NONE;
    yield* readArchive(zipMembers(zip), optionsOf(file, parts, ignores), from);
  } finally {
    await zip.close();
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function optionsOf(file: string, { fields, limits, watch }: ArchiveParts, ignores: ReadonlyMap<string, string>) {
  const { include, exclude, urlPrefix } = fields;
  if (urlPrefix === null && file === '-') {
    throw refused('Documents that come from a stream have no URLs: a prefix (--url-prefix) would give them some.');
  }
  watch?.begin();
  const filter = new MemberFilter({ include, exclude, ignores, ...(watch === undefined ? {} : { watch }) });
  return { file, filter, limits, urlPrefix: urlPrefix ?? `${pathToFileURL(file).href}/` };
}

/** The `.gitignore` files of an archive, by their folders. */
async function ignoresIn(
  members: AsyncIterable<ArchiveMember>,
  { ignoreFileBytesMax }: Pick<IngestLimits, 'ignoreFileBytesMax'>,
): Promise<ReadonlyMap<string, string>> {
  const ignores = new Map<string, string>();
  try {
    for await (const { name, refusal, read } of members) {
      if (refusal !== null || !/(?:^|\/)\.gitignore$/.test(name.path)) continue;
      const bytes = await read(ignoreFileBytesMax);
      if (!('refused' in bytes)) ignores.set(name.path.slice(0, -'/.gitignore'.length), bytes.toString());
    }
  } catch (error) {
    // reading tells of what is damaged
    if (!(error instanceof DamagedArchive)) throw error;
  }
  return ignores;
}

const refused = (detail: string) => new ShingledError('invalid-request', detail, { field: 'format' });
