import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../src/config.ts';
import type { IngestItem, Position } from '../../../src/ingest/port.ts';
import type { InputFields } from '../../../src/ingest/sources.ts';
import { streamOf } from './archives.ts';

export const NO_FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

export interface ReadOptions {
  readonly from?: Position | null;
  readonly fields?: Partial<InputFields>;
  readonly stdin?: Buffer;
}

/** All items of inputs, as the command line reads them. */
export async function readInputs(names: readonly string[], { from = null, fields = {}, stdin }: ReadOptions = {}) {
  const { config } = readConfig({});
  const sources = createIngestSources(config, streamOf(stdin ?? Buffer.alloc(0)));
  const items: IngestItem[] = [];
  const opened = sources.openInputs(await sources.find(names), { ...NO_FIELDS, ...fields }, from);
  for await (const { items: some } of opened) for await (const run of some) items.push(...run);
  await sources.close();
  return items;
}

/** The URL and text of a document, or why it is none. */
export function briefly(item: IngestItem): string {
  if ('refused' in item) return `${item.at}: ${item.refused}: ${item.detail}`;
  if (!('operation' in item) || item.operation.op !== 'put') return 'wanted';
  return `${item.operation.url} ${Buffer.from(item.operation.body!.bytes).toString()}`;
}
