import { Buffer } from 'node:buffer';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIngestSources } from '../../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../../src/config.ts';
import type { Format } from '../../../../src/ingest/inputs/detect.ts';
import type { IngestItem } from '../../../../src/ingest/port.ts';
import type { InputFields } from '../../../../src/ingest/sources.ts';
import { createPrng, type Prng } from '../../prng.ts';
import { streamOf } from '../archives.ts';
import { damaged, LAYERS } from './damage.ts';
import { DOCUMENTS, INPUTS, type SoundInput, type SoundRecord } from './sound-inputs.ts';

/*
 * Inputs of all formats that somebody damaged, as the command line reads them:
 *
 *   sound input ── damaged ─┬──────────┬── under its name ── items
 *       └── packed ─────────┘          └── a folder, or a file of another name
 *
 * Nothing may be thrown; whatever is refused says what and where; what lies before the damage is given, and what lies behind it
 * where reading goes on there; and nothing takes longer than its bytes allow.
 */

export interface DamagedTrial {
  readonly format: string;
  readonly how: string;
  readonly path: string;
  readonly bytes: number;
  readonly items: number;
  readonly refused: number;
  readonly cpuMs: number;
  /** What went wrong; none in a sound reader. */
  readonly faults: readonly string[];
}

/** What a trial may take: this, and so much for each MB that is read. */
const FREE_MS = 1500;
const MS_PER_MB = 200;

/** What --format calls those whose records have places. */
const TOLD: Readonly<Record<string, Format>> = {
  ...{
    warc: 'warc',
    'warc 0.17': 'warc',
    'arc 1': 'warc',
    'arc 2': 'warc',
    ndjson: 'ndjson',
    json: 'json',
    csv: 'csv',
  },
  ...{ tsv: 'tsv', rss: 'feed', atom: 'feed', rdf: 'feed', sitemap: 'sitemap', urls: 'urls' },
};
export const FORMAT_NAMES = [...Object.keys(INPUTS), 'folder', ...Object.keys(DOCUMENTS)];

const FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: 'https://b.example/', format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

interface Made {
  readonly path: string;
  readonly how: string;
  readonly bytes: number;
  /** Records outside of the damage; null: not known. */
  readonly sound: readonly SoundRecord[] | null;
  readonly format: Format | null;
}

export class DamagedInputs {
  readonly #folder: string;
  readonly #sources = createIngestSources(readConfig({}).config, streamOf(Buffer.alloc(0)));

  /** @param folder that is empty, and may be written to */
  constructor(folder: string) {
    this.#folder = folder;
  }

  close(): Promise<void> {
    return this.#sources.close();
  }

  /** @param format one of {@link FORMAT_NAMES} */
  async trial(format: string, seed: number): Promise<DamagedTrial> {
    const made = await this.make(format, seed);
    const faults: string[] = [];
    const before = process.cpuUsage();
    let items: IngestItem[] = [];
    try {
      items = await this.#read(made);
    } catch (error) {
      faults.push(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000;
    const readBytes = Math.max(
      made.bytes,
      items.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    if (cpuMs > FREE_MS + (MS_PER_MB * readBytes) / 1e6) faults.push(`it took ${Math.round(cpuMs)} ms of CPU`);
    faults.push(...faultsOf(items, made));
    const refused = items.filter((item) => 'refused' in item).length;
    return { format, how: made.how, path: made.path, bytes: made.bytes, items: items.length, refused, cpuMs, faults };
  }

  /** The input of a trial, in the folder. */
  async make(format: string, seed: number): Promise<Made> {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    const prng = createPrng(seed);
    if (format === 'folder') return this.#makeFolder(prng);
    const input = await soundInput(format, prng);
    const others = Object.values(INPUTS);
    const other = await others[prng.below(others.length)]!(prng);
    const layer = layerOf(prng);
    const packed = layer === null ? input.bytes : LAYERS[layer]![1](input.bytes);
    const { bytes, how, from, to } = damaged(prng, packed, () => other.bytes);
    const ending = layer === null ? '' : LAYERS[layer]![0];
    // now and then under a name that says nothing, or something else
    const name = prng.below(12) === 0 ? ['x', 'x.txt', other.name, 'x.gz'][prng.below(4)]! : input.name + ending;
    const path = join(this.#folder, name);
    // a layer more, over the damage
    const isTwice = prng.below(15) === 0;
    const all = isTwice ? LAYERS['gzip']![1](bytes) : bytes;
    writeFileSync(path, all);
    const isTold = layer === null && !isTwice && TOLD[format] !== undefined;
    const steps = [...(layer === null ? [] : [layer]), how, ...(isTwice ? ['gzip'] : [])];
    return {
      ...{ path, how: steps.join(', '), bytes: all.length, format: isTold ? TOLD[format]! : null },
      sound: isTold ? soundRecords(input, from, to) : null,
    };
  }

  async #makeFolder(prng: Prng): Promise<Made> {
    const path = join(this.#folder, 'docs');
    mkdirSync(path);
    const names = Object.keys(DOCUMENTS);
    const sound: SoundRecord[] = [];
    let length = 0;
    for (let i = 0; i < 6; i++) {
      const format = names[prng.below(names.length)]!;
      const name = `${i}.${format}`;
      const bytes = DOCUMENTS[format]!(prng);
      const isSound = i % 2 === 0;
      const all = isSound ? bytes : damaged(prng, bytes, () => bytes).bytes;
      writeFileSync(join(path, name), all);
      if (isSound) sound.push({ url: `https://b.example/${name}`, from: 0, to: bytes.length });
      length += all.length;
    }
    return { path, how: 'some files damaged', bytes: length, sound, format: null };
  }

  async #read({ path, format }: Made): Promise<IngestItem[]> {
    const opened = this.#sources.openInputs(await this.#sources.find([path]), { ...FIELDS, format }, null);
    const items: IngestItem[] = [];
    for await (const { items: runs } of opened) for await (const run of runs) items.push(...run);
    return items;
  }
}

async function soundInput(format: string, prng: Prng): Promise<SoundInput> {
  const document = DOCUMENTS[format];
  if (document === undefined) return INPUTS[format]!(prng);
  return { name: `a.${format}`, bytes: document(prng), records: [], goesOn: false };
}

/** Programs of the system take a while to begin. */
function layerOf(prng: Prng): string | null {
  const chance = prng.below(200);
  if (chance < 2) return chance === 0 ? 'bzip2' : 'xz';
  return chance < 70 ? (chance < 40 ? 'gzip' : 'zstd') : null;
}

/** Behind the damage not the first one: it may begin in a line with what is left of those before. */
function soundRecords({ records, goesOn }: SoundInput, from: number, to: number): SoundRecord[] {
  const before = records.filter((record) => record.to <= from);
  const behind = goesOn ? records.filter((record) => record.from >= to).slice(1) : [];
  return [...before, ...behind];
}

function urlOf(item: IngestItem): string | null {
  if ('operation' in item) return item.operation.url;
  return 'wanted' in item ? item.wanted : null;
}

function faultsOf(items: readonly IngestItem[], { sound }: Made): string[] {
  const faults: string[] = [];
  const given = new Set(items.map(urlOf));
  const lost = sound?.filter(({ url }) => !given.has(url)) ?? [];
  if (lost.length > 0)
    faults.push(`${lost.length} of ${sound!.length} sound records are lost, such as ${lost[0]!.url}`);
  for (const item of items) {
    if (item.at === '') faults.push('an item says no place');
    if (!('refused' in item)) continue;
    if (item.detail.trim() === '') faults.push(`${item.at}: ${item.refused} without a reason`);
    if (/\bundefined\b|\[object |TypeError|RangeError|is not a function|Cannot read prop/.test(item.detail))
      faults.push(`${item.at}: words of the program: ${item.detail}`);
  }
  return faults.slice(0, 5);
}
