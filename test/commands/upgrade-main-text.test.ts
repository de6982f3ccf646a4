import { expect, it } from 'vitest';
import { migrateIndex } from '../../src/commands/upgrade-commands.ts';
import type { DocumentAnswer } from '../../src/service/api.ts';
import { DOCUMENTS } from '../../tools/format-fixture.ts';
import { OLDER, RETENTION_PAST_MS, restored } from '../support/process/format-fixtures.ts';
import { serveHere } from '../support/process/run-here.ts';
import { inFolder } from '../support/store/level-folder.ts';

it.each(OLDER.filter((format) => format < 8))(
  'of a document of an index of format %i it is not known what is main, until it is put again',
  (format) =>
    inFolder(async (folder) => {
      const config = await restored(folder, format);
      await migrateIndex(config, process.pid, null, () => undefined);
      const env = { DATA_DIR: config.DATA_DIR, STORE_MEMORY_MB: '48', RETENTION_PAST_MS, LOG_LEVEL: 'warn' };
      const { url } = await serveHere(env);
      const page = 'https://b.example/page.html';
      const [tale, copy] = ['https://a.example/tale', 'https://b.example/copy'];
      const contentOf = async (name: string) =>
        ((await (await fetch(`${url}/documents?url=${name}`)).json()) as DocumentAnswer).content;
      const putAgain = async (name: string) => {
        const { path, type, body } = DOCUMENTS.find((sent) => sent.path.includes(encodeURIComponent(name)))!;
        const now = path.replace(/&observedAt=[^&]*/, '');
        const headers = { 'content-type': type! };
        return (await (await fetch(`${url}${now}`, { method: 'PUT', headers, body: body! })).json()) as object;
      };
      const before = await contentOf(tale);
      for (const one of [tale, copy])
        expect(await contentOf(one)).toMatchObject({ main: 'not-read', mainShingles: null });
      expect(await contentOf(page)).toMatchObject({ main: 'not-read' });
      const whole = { ...before, main: 'whole', mainShingles: before.shingles };
      expect(await putAgain(tale)).toMatchObject({ status: 'unchanged', newContent: false, content: whole });
      // it is one content of both
      for (const one of [tale, copy]) expect(await contentOf(one)).toEqual(whole);
      expect(await putAgain(page)).toMatchObject({ status: 'unchanged', content: { main: 'read' } });
      expect((await contentOf(page)).id).not.toBe(before.id);
      expect(await putAgain('https://d.example/long')).toMatchObject({
        status: 'unchanged',
        content: { main: 'whole' },
      });
      expect(await contentOf('https://d.example/longer')).toMatchObject({ main: 'not-read' });
    }),
);
