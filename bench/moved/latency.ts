/*
 * How long `GET /moved` takes in an index of many documents, without HTTP: `npm run bench:moved -- FOLDER [--asked 3000]`.
 * FOLDER is the data of an index, which is written to: give it a copy. One document in so many is chosen by its URL. A third of
 * them is seen to be gone, a third to be gone and at another URL, a third to show the notice that its host shows for all.
 */
import type { BulkOperation } from '../../src/service/api.ts';
import { untilIdle } from '../support/store/store-index.ts';
import { printRows, quantile, type Row } from '../support/table.ts';
import { textOf } from '../support/texts.ts';
import { openMovedIndex } from './moved-index.ts';

const folder = process.argv[2];
if (folder === undefined || folder.startsWith('--')) throw new Error('usage: npm run bench:moved -- FOLDER');
const at = process.argv.indexOf('--asked');
const wanted = at < 0 ? 3000 : Number(process.argv[at + 1]);
const KINDS = ['gone for good', 'gone, and elsewhere', 'a notice for all'] as const;
const NOTICE = textOf(404, 300);

const index = await openMovedIndex(folder);
const urls = await index.someUrls(wanted);
const now = Date.now() - 1000;
await index.write(urls.flatMap((url, i) => operationsOf(url, i % KINDS.length)));
// the first questions have the posting lists read into memory, and the writes have segments merged
for (const url of urls.slice(0, 100)) await index.ask(url);
await untilIdle();

const times: number[][] = KINDS.map(() => []);
const cpuTimes: number[] = [];
let found = 0;
for (const [i, url] of urls.entries()) {
  const before = process.cpuUsage();
  const { elapsedMs, candidates } = await index.ask(url);
  const { user, system } = process.cpuUsage(before);
  cpuTimes.push((user + system) / 1000);
  times[i % KINDS.length]!.push(elapsedMs);
  if (candidates.some((candidate) => candidate.url === `${url}-moved`)) found++;
}
await index.close();

printRows(`${urls.length} old URLs asked one after the other, ${index.documents.toLocaleString('en')} documents`, [
  ...rowsOf('all', times.flat(), '<= 10'),
  ...rowsOf('all, CPU time of the process', cpuTimes),
  ...KINDS.flatMap((kind, i) => rowsOf(kind, times[i]!)),
  { row: 'moved ones found', value: found / times[1]!.length, unit: '' },
]);

function operationsOf(url: string, kind: number): BulkOperation[] {
  const gone: BulkOperation = { op: 'gone', url, httpStatus: 404, observedAt: now };
  if (kind === 0) return [gone];
  if (kind === 1) {
    return [{ op: 'same', url: `${url}-moved`, as: url, asAt: null, httpStatus: 200, observedAt: now }, gone];
  }
  const body = { bytes: Buffer.from(NOTICE), contentType: 'text/plain; charset=utf-8' };
  const none = { select: null, remove: null, meta: null, similar: 0, unless: null };
  return [{ op: 'put', url, body, observedAt: now, ...none }];
}

function rowsOf(name: string, values: readonly number[], target?: string): Row[] {
  const row = (q: number) => ({ row: `${name}, p${q * 100}`, value: quantile(values, q), unit: 'ms' });
  return [row(0.5), { ...row(0.99), ...(target === undefined ? {} : { target }) }];
}
