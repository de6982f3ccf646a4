import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { ShingledError } from '../../src/errors.ts';
import { nameSource } from '../../src/service/url.ts';
import { docSteps, runDoc } from '../support/docs/doc-runner.ts';
import { knownKeyFile } from '../support/docs/known-key.ts';
import { runWith } from '../support/process/cli-run.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { filesUnder, readText, root } from '../support/tree/tree.ts';

const page = readText('docs/architecture.md');
/** Files and folders of src that the page names. */
const named = [...page.matchAll(/`(src\/[\w./-]+)`/g)].map((match) => match[1]!);

describe('docs/architecture.md', () => {
  it('names only files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it('leaves no file of the source out: each is named, or its folder is', () => {
    const left = filesUnder('src', '.ts').filter(
      (path) => !named.includes(path) && !named.some((name) => name.endsWith('/') && path.startsWith(name)),
    );
    expect(left).toEqual([]);
  });

  it('walks the three ways, by at most 40 files each', () => {
    const ways = /\n## The three ways\n([\s\S]*?)\n## /.exec(page)![1]!.split('\n### ').slice(1);
    const files = ways.map((way) => new Set([...way.matchAll(/`(src\/[\w./-]+)`/g)].map((match) => match[1]!)).size);
    expect(files.length).toBe(3);
    expect(Math.min(...files)).toBeGreaterThan(20);
    expect(Math.max(...files)).toBeLessThanOrEqual(40);
  });

  it('draws every stage of the way from bytes to an answer', () => {
    const drawing = /```text\n([\s\S]*?)```/.exec(page)![1]!;
    const stages = ['extract', 'canonicalize', 'tokens', 'shingles', 'fingerprints', 'sample', 'sketch', 'look-ups'];
    for (const stage of [
      ...stages,
      'write plan',
      'committer',
      'posting lists',
      'overlaps',
      'candidates',
      'estimates',
    ]) {
      expect(drawing).toContain(stage);
    }
  });
});

describe('docs/api.md', () => {
  it('shows each call as it works: every command, every answer', async () => {
    const api = readText('docs/api.md');
    const folder = temporaryFolder();
    const service = await serveHere({
      DATA_DIR: `${folder}/data`,
      BACKUP_DIR: `${folder}/backups`,
      QUERY_THREADS: '1',
      PUT_SIMILAR_MS: '20000',
    });
    const steps = docSteps(api);
    expect(steps.length).toBeGreaterThan(15);
    expect(steps.filter(({ expected }) => expected === null)).toEqual([]);
    expect(await runDoc(api, service.url)).toEqual([]);
  });
});

describe('docs/recipes.md', () => {
  it('shows each use as it works', async () => {
    const recipes = readText('docs/recipes.md');
    const service = await serveHere({
      DATA_DIR: `${temporaryFolder()}/data`,
      INDEX_KEY_FILE: knownKeyFile(),
      PUT_SIMILAR_MS: '20000',
    });
    expect(docSteps(recipes).map(({ expected }) => expected?.kind)).toEqual([
      'json',
      'json',
      'json',
      'ndjson',
      'json',
      'json',
    ]);
    expect(await runDoc(recipes, service.url)).toEqual([]);
  });
});

describe('docs/features.md', () => {
  it('shows functions as features, whatever their names are', async () => {
    const page = readText('docs/features.md');
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() });
    expect(docSteps(page).map(({ expected }) => expected?.kind)).toEqual(['ndjson', 'json', 'json']);
    expect(await runDoc(page, service.url)).toEqual([]);
  });
});

describe('docs/composition.md', () => {
  it('shows what a text is made of', async () => {
    const page = readText('docs/composition.md');
    const service = await serveHere({
      DATA_DIR: `${temporaryFolder()}/data`,
      INDEX_KEY_FILE: knownKeyFile(),
      PUT_SIMILAR_MS: '20000',
    });
    expect(docSteps(page).map(({ expected }) => expected?.kind)).toEqual([undefined, 'json', 'json', 'text', 'text']);
    expect(await runDoc(page, service.url)).toEqual([]);
  });
});

/** As `python3 -m http.server --directory` does. @returns its port */
async function serveFolder(folder: string): Promise<number> {
  const server = createServer(({ url }, response) => {
    const path = join(folder, url!);
    response.writeHead(existsSync(path) ? 200 : 404, {
      'content-type': path.endsWith('l') ? 'text/html' : 'text/plain',
    });
    response.end(existsSync(path) ? readFileSync(path) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('docs/command-line.md', () => {
  const page = readText('docs/command-line.md');
  const HELP = /^```sh\nnpx shingled (?:([a-z]+) )?--help\n```\n```text\n([\s\S]*?)^```$/gm;

  it('shows what commands print, in the order in which it is read', async () => {
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() });
    // help takes no process: see below
    const cwd = temporaryFolder();
    const walk = page
      .replaceAll(HELP, (block) => '\n'.repeat(block.split('\n').length - 1))
      .replaceAll('8090', String(await serveFolder(join(cwd, 'site'))));
    expect(docSteps(walk).length).toBeGreaterThan(8);
    expect(await runDoc(walk, service.url, { cwd })).toEqual([]);
  });

  it('has the help of all commands, and of each', async () => {
    const shown = [...page.matchAll(HELP)];
    expect(shown.map(([, name]) => name)).toEqual([undefined, ...COMMANDS.map(({ name }) => name)]);
    for (const [, name, text] of shown) {
      expect((await runWith([...(name === undefined ? [] : [name]), '--help'])).out).toBe(text);
    }
  });
});

describe.each(['families', 'copies'])('docs/%s.md', (name) => {
  it('shows each call as it works, and the command', async () => {
    const shown = readText(`docs/${name}.md`);
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() });
    expect(docSteps(shown).map(({ expected }) => expected?.kind)).toEqual(['ndjson', 'json', 'text']);
    expect(await runDoc(shown, service.url, { cwd: temporaryFolder() })).toEqual([]);
  });
});

describe('docs/clusters.md', () => {
  it('shows what the command prints', async () => {
    const clusters = readText('docs/clusters.md');
    expect(docSteps(clusters).length).toBeGreaterThan(4);
    expect(await runDoc(clusters, 'http://localhost:8080', { cwd: temporaryFolder() })).toEqual([]);
  });
});

describe('docs/versions.md', () => {
  it('shows what the command prints', async () => {
    const versions = readText('docs/versions.md');
    expect(docSteps(versions).length).toBeGreaterThan(3);
    expect(await runDoc(versions, 'http://localhost:8080', { cwd: temporaryFolder() })).toEqual([]);
  });
});

describe('docs/moved.md', () => {
  const moved = readText('docs/moved.md');

  it('shows what is found, and the map', async () => {
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() });
    expect(docSteps(moved).map(({ expected }) => expected?.kind)).toEqual([
      ...['json', 'json', 'json', 'json', 'text', 'json'],
    ]);
    expect(await runDoc(moved, service.url)).toEqual([]);
  });
});

describe('docs/compare.md', () => {
  const compare = readText('docs/compare.md');

  it('shows what the commands print and the service answers', async () => {
    const service = await serveHere({ DATA_DIR: `${temporaryFolder()}/data`, INDEX_KEY_FILE: knownKeyFile() });
    expect(docSteps(compare).filter(({ expected }) => expected !== null).length).toBe(3);
    expect(await runDoc(compare, service.url, { cwd: temporaryFolder() })).toEqual([]);
  });

  it('draws the spans that it shows: all of each text, and no markup of it', () => {
    const [, script] = /```js\n([\s\S]*?)```/.exec(compare)!;
    const draw = runInNewContext(`${script}draw`) as (text: object) => string;
    const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(compare)![1]!) as Record<'a' | 'b', { text: string }>;
    for (const side of [shown.a, shown.b]) expect(draw(side).replaceAll(/<[^>]+>/g, '')).toBe(side.text);
    expect(draw({ text: '<b>', spans: [{ kind: 'only', from: 0, to: 3, partner: null }] })).toBe(
      '<span class="only" data-partner="">&#60;b&#62;</span>',
    );
  });
});

describe('docs/urls.md', () => {
  const urls = readText('docs/urls.md');

  it('says what becomes of each URL', () => {
    const rows = [...urls.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, sent, known] of rows) expect(nameSource(sent!, 'url', 2048).url).toBe(known);
  });

  it('says what is refused', () => {
    const table = urls.split('| sent | why it is refused')[1]!.split('\n\n')[0]!;
    const refused = [...table.matchAll(/`([^`]+:?[^`]*)`/g)]
      .map((match) => match[1]!)
      .filter((text) => text !== 'invalid-url');
    expect(refused.length).toBeGreaterThan(10);
    for (const sent of refused) expect(() => nameSource(sent, 'url', 2048), sent).toThrow(ShingledError);
  });
});

describe('docs/README.md', () => {
  it('is the index of all pages', () => {
    const index = readText('docs/README.md');
    const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map((match) => `docs/${match[1]}`);
    const there = filesUnder('docs', '.md').filter((path) => path !== 'docs/README.md');
    expect(listed.toSorted()).toEqual(there.toSorted());
  });
});
