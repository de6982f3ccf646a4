import type { IndexAccess } from '../../client/port.ts';
import type { ChangedVersion, ChangeRate, HostChanges, VersionsAnswer } from '../../service/api.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { isEverything, SELECTION_OPTIONS, selectionOf } from '../listing/selection-options.ts';
import { numberOf } from '../option-values.ts';
import { count, table } from '../texts.ts';
import { shareText } from './share-texts.ts';
import { askEach, withIndex } from './with-index.ts';

/** Versions or hosts of one page: as many as are answered at a time. */
const PAGE = 1000;

export const VERSIONS: Command = {
  name: 'versions',
  group: 'way in and out',
  operands: '[<URL>...]',
  summary: 'show how URLs have changed, or how often each host changes',
  about:
    'Lists what was seen at a URL, newest first, how each version differs from the one before, and how often the URL changed. Without a URL, it shows how often the documents of each host changed; options select which.',
  options: {
    ...WHERE,
    ...SELECTION_OPTIONS,
    limit: 'show at most this many versions of each',
    json: 'print a line of JSON for each',
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled versions https://a.example/x',
    'shingled versions https://a.example/x --json --server http://localhost:8080',
    'shingled versions --host a.example --subdomains',
  ],
  run: async (given, context) => {
    const selection = selectionOf(given);
    const limit = numberOf(given, 'limit', { otherwise: Number.POSITIVE_INFINITY, max: 1e9 });
    if (given.operands.length === 0) {
      if (given.text('limit') !== null) throw new UsageError('--limit needs a URL');
      return withIndex(given, context, (index) => showHosts(index, given, context));
    }
    if (!isEverything(selection))
      throw new UsageError('versions takes either URLs or options that select documents, not both');
    return withIndex(given, context, (index) =>
      askEach(given, context, 'url', async (url) => context.show(await versionsOf(index, url, limit), versionsText)),
    );
  },
};

/** Page by page: the rate is of the first, which has as many as most URLs ever have. */
async function versionsOf(index: IndexAccess, url: string, limit: number): Promise<Omit<VersionsAnswer, 'cursor'>> {
  const { cursor: next, ...first } = await index.versions(url, { limit: Math.min(PAGE, limit), cursor: null });
  const versions = [...first.versions];
  for (let cursor = next; cursor !== null && versions.length < limit; ) {
    const page = await index.versions(url, { limit: Math.min(PAGE, limit - versions.length), cursor });
    versions.push(...page.versions);
    ({ cursor } = page);
  }
  return { ...first, versions };
}

async function showHosts(index: IndexAccess, given: Given, context: CliContext): Promise<number> {
  const selection = selectionOf(given);
  let unreadable = 0;
  async function* lines(): AsyncGenerator<string> {
    let cursor: string | null = null;
    do {
      const page = await index.changesByHost(selection, { limit: PAGE, cursor });
      unreadable += page.unreadableCount;
      if (given.json) for (const host of page.hosts) yield `${JSON.stringify(host)}\n`;
      else if (page.hosts.length > 0) yield hostsText(page.hosts);
      ({ cursor } = page);
    } while (cursor !== null);
  }
  await context.streams.flow(lines());
  if (unreadable === 0) return EXIT_CODES.done;
  context.streams.err(`${count(unreadable)} documents cannot be read: see "shingled check".\n`);
  return EXIT_CODES.damaged;
}

const VERSIONS_HEAD = ['from', 'last seen', 'change', 'resemblance', 'kept', 'new'];

/** What of the version before is kept, and what of the new one is new, are the containments as a person asks for them. */
function versionsText({ url, versions, rate }: Omit<VersionsAnswer, 'cursor'>): string {
  const rows = [VERSIONS_HEAD, ...versions.map(versionRow)];
  return `${url}\n${[...table(rows), rateText(rate)].map((line) => `  ${line}\n`).join('')}`;
}

function versionRow({ observedAt, lastSeen, state, change }: ChangedVersion): string[] {
  const {
    kind = state === 'gone' ? 'gone' : '',
    resemblance = null,
    beforeInAfter = null,
    afterInBefore = null,
  } = change ?? {};
  const inBoth = [resemblance, beforeInAfter].map((share) => (share === null ? '' : shareText(share)));
  return [observedAt, lastSeen, kind, ...inBoth, afterInBefore === null ? '' : shareText(complement(afterInBefore))];
}

const complement = ({
  estimate,
  low,
  high,
  decision,
}: NonNullable<NonNullable<ChangedVersion['change']>['resemblance']>) => ({
  ...{ estimate: 1 - estimate, low: 1 - high, high: 1 - low, decision },
});

function rateText({ days, changes, perDay }: ChangeRate): string {
  const seen = Object.entries(changes).filter(([, number]) => number > 0);
  if (seen.length === 0) return `no change in ${daysText(days)}`;
  const rates = seen.map(([kind, number]) => {
    const rate = perDay?.[kind as keyof typeof changes];
    return rate === undefined ? `${kind} ${count(number)}` : `${kind} ${count(number)} (${everyText(1 / rate)})`;
  });
  return `in ${daysText(days)}: ${rates.join(', ')}`;
}

const daysText = (days: number) => {
  const told = count(Number(days.toPrecision(3)));
  return told === '1' ? '1 day' : `${told} days`;
};
const everyText = (days: number) => `every ${daysText(days)}`;

const HOSTS_HEAD = [
  'host',
  'documents',
  'versions',
  'days',
  'formatting',
  'template',
  'edited',
  'replaced',
  'gone',
  'back',
];

function hostsText(hosts: readonly HostChanges[]): string {
  const rows = hosts.map(({ host, documents, versions, days, changes }) => [
    host ?? '(names without a host)',
    ...[documents, versions, Math.round(days)].map(count),
    ...[changes.formatting, changes.template, changes.edited, changes.replaced, changes.gone, changes.back].map(count),
  ]);
  return table([HOSTS_HEAD, ...rows])
    .map((line) => `${line}\n`)
    .join('');
}
