/*
 * Clusters over HTTP: p50, p99 and the CPU time of GET /clusters for families of 100 and of 1,000 contents, and for documents without any.
 *
 *     npm run bench:families [-- --data-dir FOLDER] [--sizes 100,1000] [--rounds 100] [--bytes 870] [--json]
 *
 * Families are added to the index in FOLDER, or to an empty one: use a copy. Of each size there are three kinds:
 *
 *   copies   of one text, in each of which 1 word in 100 are others: all are alike
 *   chain    each is a copy of the one before: those that are far apart share nothing
 *   bundles  of 20 copies each, one hanging on the next: most share nothing
 *
 * Each question is about another member. The load comes from this process, which shares the cores with the service.
 */
import { parseArgs } from 'node:util';
import type { ClusterAnswer } from '../../src/service/clusters/cluster-api.ts';
import { createTextMaker, type TextMaker } from '../../test/support/core/make-documents.ts';
import { threadsCpuMs } from '../support/cpu-by-thread.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { printRows, quantile, type Row } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    sizes: { type: 'string', default: '100,1000' },
    rounds: { type: 'string', default: '100' },
    bytes: { type: 'string', default: '870' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = values.sizes.split(',').map(Number);
const rounds = Number(values.rounds);
/** A word of the maker with the space behind it has 7 to 8 letters. */
const words = Math.round(Number(values.bytes) / 7.7);
const THRESHOLD = 0.5;
const TARGETS: Readonly<Record<number, string>> = { 100: '<= 60', 1000: '<= 500' };
const BUNDLE = 20;
/** Of words, so that most shingles of 7 stay. */
const CHANGED = 0.01;

const KINDS: Readonly<Record<string, (maker: TextMaker, size: number) => string[]>> = {
  copies: (maker, size) => {
    const base = maker.text(words);
    return Array.from({ length: size }, (_, i) => `${maker.changed(base, CHANGED)} copy${i}`);
  },
  chain: (maker, size) => {
    const all = [maker.text(words)];
    while (all.length < size) all.push(`${maker.changed(all.at(-1)!, CHANGED)} step${all.length}`);
    return all;
  },
  bundles: (maker, size) => {
    let base = maker.text(words);
    return Array.from({ length: size }, (_, i) => {
      if (i % BUNDLE === 0) base = maker.changed(base, CHANGED);
      return `${maker.changed(base, CHANGED)} copy${i}`;
    });
  },
};

const rows: Row[] = [];
const dataDir = values['data-dir'];
const service = await startService(dataDir === undefined ? {} : { DATA_DIR: dataDir });
try {
  const maker = createTextMaker(Date.now() % 2 ** 31);
  for (const size of sizes) {
    for (const [kind, make] of Object.entries(KINDS)) {
      const prefix = `https://${kind}-${size}.example/${maker.prng.below(2 ** 31)}`;
      await putAll(
        service,
        make(maker, size).map((text, i) => ({ url: `${prefix}/${i}`, text })),
      );
      rows.push(...(await ask(`${kind}, ${size} contents`, size, (round) => `${prefix}/${(round * 37) % size}`)));
    }
  }
  await putAll(service, [{ url: 'https://alone.example/', text: maker.text(words) }]);
  rows.push(...(await ask('a document of no family', 1, () => 'https://alone.example/')));
} finally {
  await service.stop();
}
printRows(`Clusters at ${THRESHOLD}, over HTTP`, rows);

async function putAll({ client }: ServiceProcess, documents: readonly { url: string; text: string }[]): Promise<void> {
  const body = documents.map(({ url, text }) => JSON.stringify({ op: 'put', url, text })).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await client.request({ path: '/documents', method: 'POST', headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || !text.includes('"failed":0')) throw new Error(text.slice(-500));
}

/** The first question is not counted: what the family is read from is near then. */
async function ask(name: string, size: number, urlOf: (round: number) => string): Promise<Row[]> {
  const times: number[] = [];
  let whole = 0;
  let first = 0;
  let before = threadsCpuMs(service.pid);
  for (let round = 0; round <= rounds; round++) {
    const path = `/clusters?threshold=${THRESHOLD}&url=${encodeURIComponent(urlOf(round))}`;
    const begun = performance.now();
    const answer = await service.client.request({ path, method: 'GET' });
    const text = await answer.body.text();
    const took = performance.now() - begun;
    if (answer.statusCode !== 200) throw new Error(text);
    const { index } = JSON.parse(text) as ClusterAnswer;
    if (index!.contentCount === size && index!.complete) whole++;
    if (round === 0) {
      first = took;
      before = threadsCpuMs(service.pid);
    } else times.push(took);
  }
  const after = threadsCpuMs(service.pid);
  const cpuMs = (part: keyof typeof after) => (after[part] - before[part]) / rounds;
  const target = TARGETS[size] === undefined ? {} : { target: TARGETS[size] };
  const note = `of ${rounds + 1} answers ${whole} are complete and of ${size}; the first took ${first.toFixed(0)} ms`;
  return [
    { row: `${name}, p50`, value: quantile(times, 0.5), unit: 'ms', note },
    { row: `${name}, p99`, value: quantile(times, 0.99), unit: 'ms', ...target },
    {
      row: `${name}, CPU of the service`,
      value: cpuMs('main') + cpuMs('queries') + cpuMs('others'),
      unit: 'ms',
      note: `of the main thread ${cpuMs('main').toFixed(1)}`,
    },
  ];
}
