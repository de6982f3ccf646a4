import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESULT_FILES } from '../../src/cluster/result/result-folder.ts';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import { readConfig } from '../../src/config.ts';
import { streamOf } from '../support/ingest/archives.ts';
import { folderOf } from '../support/ingest/made-folder.ts';
import { brief } from '../support/ingest/opened.ts';

const FIELDS = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: 'https://a.example/', format: null },
  ...{ include: [], exclude: [], gitignore: false },
};
const sources = createIngestSources(readConfig({}).config, streamOf(Buffer.alloc(0)));

async function readIn(root: string) {
  const items: unknown[] = [];
  for await (const { items: runs } of sources.openInputs(await sources.find([root]), FIELDS, null)) {
    for await (const run of runs)
      items.push(...run.map((item) => [item.next.file.slice(root.length + 1), brief(item)]));
  }
  return items;
}

describe('a folder of documents', () => {
  it('has none in an index, one that is being loaded, a backup or a result', async () => {
    const root = folderOf({
      'a.txt': 'a',
      ...{ 'backups/1/backup.json': '{}', 'backups/1/db/000001.ldb': 'x', 'backups/1/index.key': 'secret' },
      ...{ 'begun/index.key': 'secret', 'begun/loading/checkpoint': 'x' },
      ...{ 'index/db/CURRENT': 'MANIFEST-000002', 'index/db/LOG': 'text', 'index/index.key': 'secret' },
      ...{ 'loaded/index.key': 'secret', 'loaded/loading/again/rows/LOG': 'text' },
      ...Object.fromEntries(['clusters.json', ...RESULT_FILES].map((name) => [`result/${name}`, 'x'])),
      ...{ 'words/clusters.json': '{}', 'words/clusters.json.d/a.txt': 'c', 'words/db/index.txt': 'b' },
    });
    const own = ['backups/1', 'begun', 'index', 'loaded', 'result'];
    expect(await readIn(root)).toEqual([
      ['a.txt', ['https://a.example/a.txt', 'a']],
      ...own.map((path) => [path, 'no-document']),
      ['words/clusters.json', 'unusable-type'],
      ['words/clusters.json.d/a.txt', ['https://a.example/words/clusters.json.d/a.txt', 'c']],
      ['words/db/index.txt', ['https://a.example/words/db/index.txt', 'b']],
    ]);
    for (const path of own) await expect(sources.find([join(root, path)])).rejects.toThrow('keeps no documents');
  });

  it('takes in no file that the command writes', async () => {
    const root = folderOf({ 'a.txt': 'a', 'b/c.txt': 'c' });
    const find = (name: string) => sources.find([root], [join(root, name)]);
    for (const name of ['state', 'b/errors.txt', 'b/../similar']) {
      await expect(find(name)).rejects.toMatchObject({ code: 'invalid-request', field: join(root, name) });
    }
    for (const name of ['state.json', 'errors.ndjson', '.state', '../state']) await find(name);
  });
});
