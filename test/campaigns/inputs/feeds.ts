import { triedFeeds } from '../../support/ingest/feed-files.ts';

/*
 * npm run campaign:feeds <folder>
 *
 * Reads each .xml in a folder, such as tests/ of the source distribution of feedparser, as a sitemap or feed. The link of the
 * first entry is compared with what a file's own comment expects (`Expect: … entries[0]['link'] == '…'`). Prints what differs;
 * exits with 1 if a file makes the reader throw, or if there is none.
 */

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder: npm run campaign:feeds <folder>');
const trials = await triedFeeds(folder);
const crashes = trials.filter(({ crash }) => crash !== null);
for (const { path, crash } of crashes) console.log(`${path}: THROWN: ${crash}`);

const compared = trials.filter(({ expected }) => expected !== null);
const isSame = (found: string, expected: string) => found === expected || found === URL.parse(expected)?.href;
const different = compared.filter(({ found, expected }) => !isSame(found, expected!));
for (const { path, found, expected } of different) console.log(`${path}: expected ${expected}, found ${found}`);

console.log('Files by how they are detected, and by what is read first');
console.table(counted(trials.map(({ detected, pages }) => `${detected}: ${pages > 0 ? 'pages' : 'no page'}`)));
const digits = (detail: string) => detail.replace(/"[^"]*"|<[^>]*>/g, '…').slice(0, 90);
console.table(counted(trials.flatMap(({ refused }) => refused.map(digits))));
const right = compared.length - different.length;
console.log(`${trials.length} files, ${crashes.length} thrown; of ${compared.length} expected links ${right} right`);
process.exitCode = trials.length === 0 || crashes.length > 0 ? 1 : 0;

function counted(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
