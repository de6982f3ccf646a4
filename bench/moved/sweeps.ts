/*
 * How right `GET /moved` is on a little web that is known to the last page (test/support/moved/web-world.ts): seen in sweeps,
 * with edits, moves, redirects, soft 404s, home pages, parked domains, mirrors, templates and deaths.
 *
 *     npm run bench:moved-sweeps -- [--hosts 60] [--pages 60] [--sweeps 6] [--worlds 3] [--wrong] [--json]
 *
 * Recall: of the old URLs whose documents moved and are there, the share for which a place of the document is offered as
 * certain or likely. Precision: of all that is offered so, the share that is a place of it.
 */
import { newScore, precisionOf, recallOf, score } from '../../test/support/moved/score.ts';
import { operationOf } from '../../test/support/moved/sightings.ts';
import { WebWorld } from '../../test/support/moved/web-world.ts';
import { printRows } from '../support/table.ts';
import { openMovedIndex } from './moved-index.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [hosts, pagesAHost, sweeps] = [option('hosts', 60), option('pages', 60), option('sweeps', 6)];
const total = newScore();
const reasons = new Map<string, number>();
let noticesOffered = 0;
const times: number[] = [];

for (let seed = 1; seed <= option('worlds', 3); seed++) {
  const world = new WebWorld({ seed, hosts, pagesAHost, sweeps });
  const index = await openMovedIndex();
  while (!world.isOver) await index.write(Array.from(world.next(), operationOf));
  for (const { url, places } of world.truth()) {
    const answer = await index.ask(url);
    times.push(answer.elapsedMs);
    const isRight = score(total, answer, places, world.movedFrom.has(url));
    for (const { reason } of answer.refused) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    for (const candidate of answer.candidates) if (world.noticeOf(candidate.url) !== null) noticesOffered++;
    if (!isRight && process.argv.includes('--wrong')) console.log(JSON.stringify({ url, places: [...places], answer }));
  }
  await index.close();
}

printRows(`${total.asked} old URLs, of which ${total.moved} moved, of ${hosts} hosts in ${sweeps} sweeps`, [
  { row: 'recall, certain or likely', value: recallOf(total), unit: '', target: '>= 0.95' },
  {
    row: 'precision, certain or likely',
    value: precisionOf(total),
    unit: '',
    target: '>= 0.98',
    note: `${total.right} of ${total.offered}`,
  },
  { row: 'soft 404s and parked pages offered, however sure', value: noticesOffered, unit: '', target: '<= 0' },
  ...[...reasons].map(([reason, value]) => ({ row: `refused as ${reason}`, value, unit: '' })),
]);
