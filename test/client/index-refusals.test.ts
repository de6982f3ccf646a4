import { describe, expect, it, onTestFinished } from 'vitest';
import { createRemoteService } from '../../src/client/remote-service.ts';
import { openFolder } from '../../src/commands/folder-access.ts';
import { readConfig } from '../../src/config.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../src/service/moved/moved-options.ts';
import { all, behindServer, eachOf, KEY, put, textOf, written } from '../support/client/accesses.ts';
import { serveHere } from '../support/process/run-here.ts';
import { log } from '../support/store/made-index.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* What only a service or only a folder says: the limits of requests, keys, and a folder that is in use. */

describe('an index behind a service', () => {
  it('takes more lines than one request may have', async () => {
    const index = await behindServer({ BULK_LINES_MAX: '10', BULK_BYTES_MAX: '100000' });
    const operations = Array.from({ length: 37 }, (_, n) => put(`https://a.example/${n}`, textOf(n)));
    const answers = await written(index, operations);
    expect(answers.map(({ line }) => line)).toEqual(operations.map((_operation, at) => at + 100));
    expect((await index.stats()).sources).toBe(37);
  });

  it('asks more than one request may have, by lines and by bytes', async () => {
    const index = await behindServer({ BULK_LINES_MAX: '10', BULK_BYTES_MAX: '5000' });
    await written(index, [put('https://a.example/1', textOf(1))]);
    const urls = Array.from({ length: 37 }, (_, n) => `https://a.example/${n}`);
    const questions = urls.map((url, n) =>
      JSON.stringify({ document: n % 2 === 0 ? { url } : { text: textOf(n) }, fetch: 'never' }),
    );
    const answers = await all(index.similarLines(eachOf(...questions)));
    expect(answers.map((text) => (JSON.parse(text) as { line: number }).line)).toEqual(urls.map((_url, at) => at + 1));
    expect(answers.map((text) => JSON.parse(text) as object)).toMatchObject(
      urls.map((_url, n) => (n % 2 === 0 ? { code: 'unknown-url' } : { status: 200 })),
    );
    const moved = await all(index.movedLines(eachOf(...urls.map((url) => ({ url, ...DEFAULT_MOVED_OPTIONS })))));
    expect(moved.map(({ line }) => line)).toEqual(urls.map((_url, at) => at + 1));
  });

  it('says which key it lacks, and where nobody answers', async () => {
    const { url } = await serveHere({ DATA_DIR: temporaryFolder(), API_KEYS: `main:read:${KEY}` });
    const without = createRemoteService({ server: url, apiKey: null });
    onTestFinished(() => without.close());
    await expect(without.stats()).rejects.toMatchObject({
      code: 'unauthorized',
      message: `${url} wants an API key: name a file that holds one with --key-file.`,
    });
    const strange = createRemoteService({ server: url, apiKey: 'a-key-that-nobody-has' });
    onTestFinished(() => strange.close());
    await expect(strange.stats()).rejects.toMatchObject({
      code: 'unauthorized',
      message: `${url} does not know the key in the file of --key-file.`,
    });
    const nowhere = createRemoteService({ server: 'http://127.0.0.1:1', apiKey: null });
    await expect(nowhere.stats()).rejects.toMatchObject({
      code: 'service-unreachable',
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
    expect(() => createRemoteService({ server: 'localhost:8080', apiKey: null })).toThrow('--server');
  });
});

describe('the folder of an index that is in use', () => {
  it('is refused, with the way that there is', async () => {
    const DATA_DIR = temporaryFolder();
    await serveHere({ DATA_DIR });
    const { config } = readConfig({ DATA_DIR });
    await expect(openFolder(config, { version: '1', pid: process.pid }, log)).rejects.toMatchObject({
      code: 'index-locked',
      message: expect.stringContaining('--server'),
    });
  });
});
