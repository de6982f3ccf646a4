import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { findInputs } from '../../../src/ingest/inputs/inputs.ts';
import { DEFAULT_INGEST_LIMITS, type IngestLimits } from '../../../src/ingest/limits.ts';
import { type OpenParts, openInputs } from '../../../src/ingest/open-inputs.ts';
import type { IngestItem } from '../../../src/ingest/port.ts';
import type { RewriteTo, Rewritten } from '../../../src/ingest/rewrite/port.ts';
import { planRewrite } from '../../../src/ingest/rewrite/rewrite-inputs.ts';
import type { InputFields } from '../../../src/ingest/sources.ts';
import { streamOf } from './archives.ts';
import { brief } from './opened.ts';
import { recordMap } from './record-map.ts';

/* Inputs as ingest reads them, and copies of them without some of their records. */

const FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

export interface Reading {
  readonly fields?: Partial<InputFields>;
  readonly limits?: Partial<IngestLimits>;
}

export function openParts({ fields = {}, limits = {} }: Reading = {}): OpenParts {
  return {
    map: recordMap(
      { ...(fields.url ? { url: fields.url } : {}), ...(fields.text ? { text: fields.text } : {}) },
      fields.urlPrefix ?? null,
    ),
    limits: { ...DEFAULT_INGEST_LIMITS, ...limits },
    fields: { ...FIELDS, ...fields },
    format: (fields.format ?? null) as OpenParts['format'],
    charset: fields.charset ?? null,
    stdin: streamOf(Buffer.alloc(0)),
    fetchList: () => Promise.reject(new Error('nothing is fetched here')),
  };
}

/** All items of inputs, as ingest has them. */
export async function ingested(names: readonly string[], reading: Reading = {}): Promise<IngestItem[]> {
  const items: IngestItem[] = [];
  for await (const opened of openInputs(await findInputs(names), openParts(reading), null)) {
    for await (const run of opened.items) items.push(...run);
  }
  return items;
}

export interface Read {
  readonly input: number;
  readonly record: number;
  readonly brief: unknown;
}

/** The items of inputs in short, with their numbers. */
export async function readAll(names: readonly string[], reading: Reading = {}): Promise<Read[]> {
  const items = await ingested(names, reading);
  return items.map((item) => ({ input: item.next.input!, record: item.next.record, brief: brief(item) }));
}

export interface Written extends Rewritten {
  /** What has gone to standard output. */
  readonly stdout: Buffer;
  /** What it was asked for. */
  readonly asked: readonly string[];
}

/** Copies what `keeps` says of the inputs to `out`. */
export async function rewrite(
  names: readonly string[],
  out: string,
  keeps: (input: number, record: number) => boolean,
  { to = {}, ...reading }: Reading & { readonly to?: Partial<RewriteTo> } = {},
): Promise<Written> {
  const plan = await planRewrite(await findInputs(names), openParts(reading), out);
  const asked: string[] = [];
  const pieces: Buffer[] = [];
  const selection = {
    keeps: (input: number, record: number) => {
      asked.push(`${input}:${record}`);
      return keeps(input, record);
    },
    lastRecords: null,
  };
  const stdout = async (bytes: Uint8Array) => {
    pieces.push(Buffer.from(bytes));
  };
  const given = { stdout, temporaryFolder: tmpdir(), signal: null, passed: () => {}, ...to };
  return { ...(await plan.write(selection, given)), stdout: Buffer.concat(pieces), asked };
}

export const bytesOf = (path: string) => readFileSync(path);
