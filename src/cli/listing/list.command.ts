import type { IndexAccess } from '../../client/port.ts';
import type { ListedDocument, Selection } from '../../service/api.ts';
import { withIndex } from '../asking/with-index.ts';
import type { Command } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { numberOf } from '../option-values.ts';
import { count, table } from '../texts.ts';
import { SELECTION_OPTIONS, selectionOf } from './selection-options.ts';

/** Documents or hosts of one page: as many as are answered at a time. */
const PAGE = 1000;

export const LIST: Command = {
  name: 'list',
  group: 'way in and out',
  operands: '',
  summary: 'list documents, or count those of each host',
  about: 'Lists all documents, or those that the options select, by host and URL.',
  options: {
    ...WHERE,
    ...SELECTION_OPTIONS,
    'by-host': 'only count the documents of each host',
    limit: 'list at most this many',
    json: 'print a line of JSON for each',
  },
  operandsMax: 0,
  examples: [
    'shingled list --host a.example --subdomains',
    'shingled list --prefix https://a.example/docs/ --json',
    'shingled list --by-host --server http://localhost:8080',
  ],
  run: async (given, context) => {
    const selection = selectionOf(given);
    const most = numberOf(given, 'limit', { otherwise: Number.POSITIVE_INFINITY, max: 1e9 });
    const { flow } = context.streams;
    let unreadable = 0;
    const onUnreadable = (number: number) => {
      unreadable += number;
    };
    await withIndex(given, context, (index) =>
      given.has('by-host')
        ? flow(texts(hostsOf(index, selection, most, onUnreadable), given.json, hostRow))
        : flow(texts(documentsOf(index, selection, most, onUnreadable), given.json, documentRow)),
    );
    if (unreadable === 0) return EXIT_CODES.done;
    context.streams.err(`Of ${count(unreadable)} documents nothing can be trusted: see "shingled check".\n`);
    return EXIT_CODES.damaged;
  },
};

type Told = (unreadable: number) => void;

/** A page at a time. */
async function* documentsOf(
  index: IndexAccess,
  selection: Selection,
  most: number,
  told: Told,
): AsyncGenerator<readonly ListedDocument[]> {
  let cursor: string | null = null;
  let left = most;
  do {
    const page = await index.list(selection, { limit: Math.min(PAGE, left), cursor });
    left -= page.documents.length;
    told(page.unreadable.length);
    yield page.documents;
    ({ cursor } = page);
  } while (cursor !== null && left > 0);
}

type HostCount = Awaited<ReturnType<IndexAccess['countByHost']>>['hosts'][number];

async function* hostsOf(
  index: IndexAccess,
  selection: Selection,
  most: number,
  told: Told,
): AsyncGenerator<readonly HostCount[]> {
  let cursor: string | null = null;
  let left = most;
  /** Its documents may go on on the next page. */
  let last: HostCount | null = null;
  do {
    const page = await index.countByHost(selection, { limit: PAGE, cursor });
    told(page.unreadableCount);
    const ended: HostCount[] = [];
    for (const each of page.hosts) {
      if (last !== null && last.host !== each.host) ended.push(last);
      const before: number = last !== null && last.host === each.host ? last.documents : 0;
      last = { ...each, documents: before + each.documents };
    }
    const taken = ended.slice(0, left);
    left -= taken.length;
    yield taken;
    ({ cursor } = page);
  } while (cursor !== null && left > 0);
  if (last !== null && left > 0) yield [last];
}

/** Pages as lines, of JSON or in columns. */
async function* texts<T>(
  pages: AsyncIterable<readonly T[]>,
  json: boolean,
  row: (one: T) => string[],
): AsyncGenerator<string> {
  for await (const page of pages) {
    if (page.length === 0) continue;
    const lines = json ? page.map((one) => JSON.stringify(one)) : table(page.map(row));
    yield lines.map((line) => `${line}\n`).join('');
  }
}

const documentRow = ({ observedAt, state, url }: ListedDocument) => [observedAt, state, url];
const hostRow = ({ host, documents, template = null }: HostCount) => [
  count(documents).padStart(12),
  host ?? '(names without a host)',
  ...(template === null ? [] : [`${count(template.shingles)} shingles are on most of ${count(template.pages)} pages`]),
];
