import { parseArgs } from 'node:util';
import { printRows, type Row } from '../../bench/support/table.ts';
import { describeCell, excess, familiesOf, type RecallCell, recallOf } from '../support/core/family-recall.ts';

/*
 * npm run campaign:recall -- --seed 1 --documents 20000
 *
 * Is the recall that an answer states ever above the share of documents that is found of those planted exactly at the threshold?
 * In each cell families of 100 to 10,000 documents, whose members have some of the query's shingles in common and others of
 * their own, are planted under ever new keys, alone or with others in their way, and asked for with CANDIDATES_MAX from 64 to
 * 4,096: at least so many documents, and 20 answers. Fails where the stated recall is above the measured one by more than three
 * standard errors, or where an answer says that nothing was left out and lacks a document that its look-ups met. A family of which
 * the look-ups meet nothing is not seen (core/query/recall.ts), so if a limit bites otherwise, what that makes is allowed for.
 */

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, documents: { type: 'string', default: '20000' } },
});
const CANDIDATES_MAXES = [64, 128, 256, 512, 1024, 2048, 4096];
const MEMBERS = [100, 1000, 10_000];
const ANSWERS_LEAST = 20;
const EXCESS_MOST = 3;

const cells: RecallCell[] = [];
for (const members of MEMBERS) {
  const answers = Math.max(ANSWERS_LEAST, Math.ceil(Number(values.documents) / members));
  for (const planted of familiesOf(members)) {
    cells.push(...recallOf(planted, answers, Number(values.seed) * 7919 + cells.length, CANDIDATES_MAXES));
  }
}

const rows: Row[] = [];
for (const direction of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
  for (const candidatesMax of CANDIDATES_MAXES) {
    const of = cells.filter((cell) => cell.planted.direction === direction && cell.candidatesMax === candidatesMax);
    const [stated, found] = [mean(of.map((cell) => cell.stated)), mean(of.map((cell) => cell.found))];
    const worst = Math.max(...of.map(excess));
    const row = `${direction}, CANDIDATES_MAX ${candidatesMax}, ${of.length} cells: standard errors above, at the worst`;
    const note = `stated ${stated.toFixed(3)}, found ${found.toFixed(3)} in the mean`;
    rows.push({ row, value: worst, unit: '', target: `<= ${EXCESS_MOST}`, note });
  }
}
printRows(`Stated and measured recall, ${values.documents} documents a cell, seed ${values.seed}`, rows);

const wrong = cells.filter((cell) => excess(cell) > EXCESS_MOST || cell.untrue > 0);
for (const cell of wrong) console.log(`${describeCell(cell)}, ${cell.untrue} untrue`);
process.exitCode = wrong.length > 0 ? 1 : 0;

function mean(of: readonly number[]): number {
  return of.reduce((sum, value) => sum + value, 0) / of.length;
}
