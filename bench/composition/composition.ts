/*
 * What documents are made of: how right, how complete and how fast `POST /composition` is, over the HTTP API.
 *
 *     npm run bench:composition -- [FOLDER] [--data-dir INDEX --documents 1000000 --bytes 870] [--runs 300] [--json]
 *
 * - FOLDER has documents in the form of bench/support/corpus.ts: each is asked by its text without its own URL, and the answer
 *   is held against the greedy cover by brute force on whole sets of fingerprints, in an index that samples nothing.
 * - Mosaics of up to 20 planted sources: which are named, and in which order.
 * - Quotations of 50 words of which 40 are kept, from sources of any length, in texts of any length, by the moduli of the index.
 * - preset: the same by an index that was made for quotations (INDEX_MODULUS=2), in texts of 50 to 50,000 words.
 * - INDEX holds documents as `npm run bench:queries` makes them: the time of one client's questions. It is not written to, but
 *   opening it writes to its folder: give a copy.
 */
import { parseArgs } from 'node:util';
import { startService } from '../support/service-process.ts';
import { printRows, type Row } from '../support/table.ts';
import { againstBruteForce } from './brute-force.ts';
import { mosaicRows } from './mosaics.ts';
import { presetRows, quotationRows } from './quotations.ts';
import { speedRows } from './speed.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'data-dir': { type: 'string' },
    documents: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: '870' },
    runs: { type: 'string', default: '300' },
    only: { type: 'string', default: 'brute-force,mosaics,quotations,preset,speed' },
    json: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const only = values.only.split(',');
const rows: Row[] = [];
const [folder] = positionals;
if (folder !== undefined && only.includes('brute-force')) rows.push(...(await againstBruteForce(folder, runs)));
if (only.includes('mosaics')) rows.push(...(await mosaicRows(runs)));
if (only.includes('quotations')) rows.push(...(await quotationRows(runs)));
if (only.includes('preset')) rows.push(...(await presetRows(runs)));
const dataDir = values['data-dir'];
if (dataDir !== undefined && only.includes('speed')) {
  const service = await startService({ DATA_DIR: dataDir });
  try {
    rows.push(...(await speedRows(service, Number(values.documents), Number(values.bytes), runs)));
  } finally {
    await service.stop();
  }
}
printRows('What documents are made of', rows);
