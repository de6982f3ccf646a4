import { parseArgs } from 'node:util';
import { printRows, type Row } from '../../bench/support/table.ts';
import { ALL, createServiceFixture, SHINGLE_SIZE } from '../support/service/service-fixture.ts';
import { inFolder, openFolder } from '../support/store/level-folder.ts';
import { randomFrom } from '../support/store/level-plans.ts';
import { fileHistories } from '../support/versions/file-histories.ts';
import { compareVersions, expectedVersions, noDifferences, type Sight } from '../support/versions/version-oracle.ts';

/*
 * npm run campaign:versions -- --seed 1 --orders 1000 --documents 400 --repository .
 *
 * Do versions and changes depend on the order in which they are told, and are they what the texts say? Files of a git
 * repository are told of as pages, with every version that was committed and again a while later, and as gone where they were
 * deleted: in the order of time, and in random orders, each order of another URL. The index is on disk, with the default
 * retention, so that contents are forgotten all the time. Fails where a version or a kind differs from what the texts say,
 * where two orders give different answers, or where fewer than 95 of 100 intervals hold the exact share.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    orders: { type: 'string', default: '1000' },
    documents: { type: 'string', default: '400' },
    versions: { type: 'string', default: '12' },
    repository: { type: 'string', default: '.' },
    files: { type: 'string', multiple: true, default: ['*.md', '*.ts', '*.txt', '*.html'] },
  },
});
const COVERED_LEAST = 0.95;
const [orders, documents] = [Number(values.orders), Number(values.documents)];
const random = randomFrom(Number(values.seed));

const histories = fileHistories(values.repository, values.files, documents, Number(values.versions));
if (histories.length === 0) throw new Error(`${values.repository} has no files with a history`);

function shuffled<T>(all: readonly T[]): T[] {
  const order = [...all];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Each is seen again where there is room before the next one. */
function seenAgain(sights: readonly Sight[]): Sight[] {
  return sights.flatMap((sight, i) => {
    const next = sights[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    return sight.at + 500 < next && random() < 0.5 ? [sight, { ...sight, at: sight.at + 500 }] : [sight];
  });
}

const found = noDifferences();
let [told, differing] = [0, 0];
await inFolder(async (folder) => {
  const level = await openFolder(folder, {});
  const { service, put, close, clock } = createServiceFixture({ wrapStore: () => level });
  clock.nowMs = Date.now();
  const all = histories.map(({ path, sights }) => ({ path, sights: seenAgain(sights) }));
  const inTime = new Map<string, string>();
  for (let order = 0; order < Math.max(orders, all.length) + all.length; order++) {
    const { path, sights } = all[order % all.length]!;
    const url = `https://order-${order}.example/${encodeURIComponent(path)}`;
    // a URL is not known to be gone before it was ever seen
    const mixed = order < all.length ? sights : shuffled(sights);
    const first = mixed.findIndex(({ text }) => text !== null);
    for (const { at, text } of [mixed[first]!, ...mixed.filter((_, i) => i !== first)]) {
      if (text === null) await service.gone({ url, httpStatus: 410, observedAt: at }, ALL);
      else await put(url, text, { observedAt: at });
      told++;
    }
    const answer = await service.versions(url, { limit: 100, cursor: null }, ALL);
    compareVersions(answer, expectedVersions(sights, SHINGLE_SIZE), found);
    const { versions, rate } = answer;
    const said = JSON.stringify([versions.map(({ content: _, ...version }) => version), rate]);
    const before = inTime.get(path);
    if (before === undefined) inTime.set(path, said);
    else if (before !== said && differing++ < 3) console.log(`${path} in another order: ${said}\nnot ${before}`);
  }
  await close();
  await level.close();
});

const covered = found.covered / found.shares;
const rows: Row[] = [
  { row: 'documents with a history', value: histories.length, unit: '' },
  { row: 'orders: in time, and random', value: Math.max(orders, histories.length) + histories.length, unit: '' },
  { row: 'sightings told', value: told, unit: '' },
  { row: 'versions compared with the texts', value: found.kinds, unit: '' },
  { row: 'versions and kinds that differ from the texts', value: found.wrong.length, unit: '', target: '= 0' },
  { row: 'orders with other versions or changes than in time', value: differing, unit: '', target: '= 0' },
  { row: 'kinds told as undecided: edited or replaced', value: found.undecided, unit: '' },
  { row: '… of them told as the other one', value: found.otherKinds, unit: '' },
  { row: 'intervals that hold the exact share', value: covered, unit: '', target: `>= ${COVERED_LEAST}` },
];
printRows(`Versions in ${orders} random orders, seed ${values.seed}`, rows);
for (const sentence of found.wrong.slice(0, 10)) console.log(sentence);
process.exitCode = found.wrong.length > 0 || differing > 0 || covered < COVERED_LEAST ? 1 : 0;
