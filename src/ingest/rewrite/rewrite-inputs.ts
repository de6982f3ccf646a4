import { ShingledError } from '../../errors.ts';
import type { Input } from '../inputs/inputs.ts';
import type { OpenParts } from '../open-inputs.ts';
import { dialectOf } from '../records/tables/dialect.ts';
import { hasProgram, isProgram } from '../unpack/system-program.ts';
import { type RecordSource, tableHead } from './copy-source.ts';
import { type Place, placeOf } from './outputs/output-place.ts';
import type { RewritePlan } from './port.ts';
import { Rewriting } from './rewriting.ts';
import { isWide, type Source, sourceOf } from './sources-of.ts';

/*
 * Copies of inputs without some of their records, in the format in which they came. First everything is looked at that may
 * stand against it: then whoever finds out which records go does not find out in vain.
 *
 *   inputs ── plan: what each holds, where it goes ── (ingest reads them) ── write: read again, copied, renamed
 */

/**
 * @param out `-`: standard output; a file; or a folder, by a slash at its end or since it is there, for a file of each input
 * @throws ShingledError `invalid-request` where an input, or all together, cannot be copied so; `input-unreadable`,
 * `input-changed`, `output-exists`, `output-unwritable`
 */
export async function planRewrite(inputs: readonly Input[], parts: OpenParts, out: string): Promise<RewritePlan> {
  const sources: Source[] = [];
  for (const input of inputs) sources.push(await sourceOf(input, parts));
  const place = await placeOf(
    out,
    sources.map((source) => placed(source, parts)),
  );
  if (place.kind !== 'folder') refuseWideJoined(sources);
  if (place.kind !== 'folder') await refuseOtherColumns(sources, parts);
  const isPacked = place.kind === 'file' && place.packing !== null && sources.some(({ is }) => is === 'parquet');
  if (isPacked) throw refused(out, `${out} would be packed, and Parquet is packed within: name a file without that.`);
  await refuseAbsentProgram(place, out);
  return { write: (selection, to) => new Rewriting({ sources, parts, place, selection, to }).run() };
}

/** What unpacks the inputs has been met; what packs a file of another kind may not be there. */
async function refuseAbsentProgram(place: Place, out: string): Promise<void> {
  const packing = place.kind === 'file' ? place.packing : null;
  if (!isProgram(packing) || (await hasProgram(packing))) return;
  throw refused(out, `${out} would be packed by the program ${packing}, which is not installed: name it .gz or .zst.`);
}

const isRecords = (source: Source): source is RecordSource => source.is === 'records';

function placed(source: Source, { fields }: OpenParts) {
  const { input, is } = source;
  if (is === 'nothing' || is === 'broken') return { input, kind: null };
  if (is !== 'records') return { input, kind: is === 'parquet' ? 'Parquet' : is };
  const { detected } = source;
  const kinds = {
    ...{ ndjson: 'lines of JSON', json: 'a JSON file', urls: 'a list of URLs' },
    ...{ warc: 'an archive', arc: 'an archive of ARC' },
  };
  const suffix = 'charset' in detected ? ` in ${detected.charset}` : '';
  if (detected.format !== 'csv') return { input, kind: kinds[detected.format] + suffix };
  const { delimiter, quote } = dialectOf(detected.signs, fields.table ?? {});
  const quotes = quote === null ? 'no quotes' : `the quote ${quote}`;
  return { input, kind: `a table with ${delimiter === '\t' ? 'tabs' : `"${delimiter}"`} and ${quotes}${suffix}` };
}

/** What goes between lines of one file and those of the next is ASCII. */
function refuseWideJoined(sources: readonly Source[]): void {
  const records = sources.filter(isRecords);
  const wide = records.find(({ detected }) => isWide(detected));
  if (wide === undefined || records.length < 2) return;
  const { name } = wide.input;
  throw refused(name, `${name} is UTF-16, and would be in one file with others: name a folder, by a slash at its end.`);
}

/** Tables that become one have the same columns. */
async function refuseOtherColumns(sources: readonly Source[], parts: OpenParts): Promise<void> {
  const tables = sources.filter((source) => source.is === 'parquet' || (isRecords(source) && isTable(source)));
  if (tables.length < 2) return;
  let first: { readonly name: string; readonly columns: string } | null = null;
  for (const table of tables) {
    const { name } = table.input;
    const columns = table.is === 'parquet' ? table.schema : await tableHead(table as RecordSource, parts);
    if (columns === '') continue;
    first ??= { name, columns };
    if (columns === first.columns) continue;
    throw refused(name, `${first.name} and ${name} have other columns, or other line ends, and would be one table.`);
  }
}

const isTable = ({ detected }: RecordSource) => detected.format === 'csv';

const refused = (field: string, detail: string) => new ShingledError('invalid-request', detail, { field });
