/*
 * What the service is for, on documents that every clone has: `npm run demo`.
 *
 * The licence and readme files under node_modules, hundreds of true near-copies, are indexed through the real HTTP
 * service in a temporary folder; then it is asked with two documents that are not among them and were changed by hand.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { EstimatedShare, Match, SimilarAnswer } from '../../src/service/api.ts';
import { bulk, call, startService } from '../support/service-process.ts';
import { mitInsideNotice, shortenedApache } from './demo-texts.ts';

const SHOWN = 6;

const startedAt = performance.now();
const documents = packageDocuments(new URL('../../node_modules/', import.meta.url).pathname);
const service = await startService();
try {
  const indexedAt = performance.now();
  const { indexed } = await bulk(service.client, documents);
  const seconds = (performance.now() - indexedAt) / 1000;
  print(`Indexed ${indexed} licence and readme files of this clone's packages in ${seconds.toFixed(1)} s.`);

  await ask(
    'A notice that somebody wrote, with an MIT licence in which words were changed by hand.\nWhose licence is it?',
    mitInsideNotice(),
  );
  await ask(
    'The Apache licence without its appendix and its fourth section, and two words changed.\nWhich licence is it, and how much of it is left?',
    shortenedApache(readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8')),
  );
} finally {
  await service.stop();
}
print(`\n${((performance.now() - startedAt) / 1000).toFixed(1)} s in all, start and stop included.`);

/** Every licence and readme under a node_modules folder, named as package URLs. */
function packageDocuments(folder: string): { url: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|readme)\b[^/]*$/i.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
    .sort()
    .map((path) => ({ url: `pkg:npm/${encodeURI(path)}`, text: readFileSync(folder + path, 'utf8') }));
}

async function ask(question: string, text: string): Promise<void> {
  const query = {
    document: { text },
    thresholds: { resemblance: 0.3, queryInMatch: 0.5, matchInQuery: 0.5 },
    limit: SHOWN,
    sourcesPerMatch: 1,
    passages: true,
  };
  const data = JSON.stringify(query);
  const answer = await call<SimilarAnswer>(service.client, 'POST', '/similar', { type: 'application/json', data });
  print(`\n${'─'.repeat(100)}\n${question}\n`);
  print(`${answer.query.tokens} words, ${answer.query.shingles} shingles; answered in ${answer.elapsedMs} ms.\n`);
  print(table(answer.matches));
  for (const line of passageLines(answer.matches[0])) print(line);
}

function table(matches: readonly Match[]): string {
  const head = ['resemblance', 'mine in theirs', 'theirs in mine', 'held by', ''];
  const rows = matches.map((match) => [
    share(match.resemblance),
    share(match.queryInMatch),
    share(match.matchInQuery),
    decodeURI(match.sources[0]!.url.replace('pkg:npm/', '')),
    match.sourceCount > 1 ? `and ${match.sourceCount - 1} more with the same words` : '',
  ]);
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('   ')}`;
  return [head, ...rows].map((cells) => line(cells).trimEnd()).join('\n');
}

/** `.913 [.887 .935]`: the estimate and its 95 % interval; the figure alone where it is exact but for its printing. */
function share({ estimate, low, high }: EstimatedShare): string {
  const short = (value: number) => value.toFixed(3).replace(/^0/, '');
  return high - low < 0.0015 ? short(estimate) : `${short(estimate)} [${short(low)} ${short(high)}]`;
}

function passageLines(best: Match | undefined): string[] {
  const longest = [...(best?.passages ?? [])].sort((a, b) => b.tokens - a.tokens)[0];
  if (longest === undefined) return [];
  const text = longest.text.replaceAll(/\s+/g, ' ');
  const shown =
    text.length <= 240 ? text : `${text.slice(0, 160).replace(/ \S*$/, '')} … ${text.slice(-70).replace(/^\S* /, '')}`;
  return [
    `\n  The longest passage shared with the first, ${longest.tokens} words${longest.exact ? '' : ' or so'}:`,
    `  “${shown}”`,
  ];
}

function print(text: string): void {
  console.log(text);
}
