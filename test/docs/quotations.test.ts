import { describe, expect, it } from 'vitest';
import type { CompositionAnswer } from '../../src/service/composition/composition-shapes.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText } from '../support/tree/tree.ts';

describe('docs/composition.md', () => {
  it('names the one setting of an index that finds quotations, of long documents too', async () => {
    const [, modulus] = /\nINDEX_MODULUS=(\d+) npm start\n/.exec(readText('docs/composition.md'))!;
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_MODULUS: modulus! });
    const post = async (path: string, type: string, value: unknown) => {
      const headers = { 'content-type': type };
      return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(value) })).text();
    };
    const url = 'https://a.example/book';
    const words = createTextMaker(97).text(10_000).split(' ');
    await post('/documents', 'application/x-ndjson', { op: 'put', url, text: words.join(' ') });
    // 50 words of which the ten in the middle are left out: 28 whole shingles
    const quoted = [...words.slice(5000, 5020), ...words.slice(5030, 5050)].join(' ');
    const asked = { document: { text: `He said: ${quoted}, and went home.` }, find: 'quotations' };
    const { parts, recall } = JSON.parse(await post('/composition', 'application/json', asked)) as CompositionAnswer;
    expect(parts.flatMap(({ sources }) => sources.map((source) => source.url))).toEqual([url]);
    expect(recall.words).toBeGreaterThan(0.9999);
    expect(await (await fetch(`${service.url}/stats`)).json()).toMatchObject({
      indexModulusMax: Number(modulus),
      recordModulusMax: Number(modulus),
    });
  });
});
