import { execFile } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { python, pythonPackages } from '../support/client/python-generator.ts';
import { serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText, root } from '../support/tree/tree.ts';

/* The programs of docs/clients.md, over clients that generators make of the OpenAPI document, against a service. */

const page = readText('docs/clients.md');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({ kind, text: text! }));
const OPENAPI = join(root, 'openapi', 'openapi.json');
const TSC = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const TYPES_GENERATOR = join(root, 'test', 'support', 'client', 'openapi-typescript.process.ts');

/** All code of the page in a language, as one program, and what the page says that it prints. */
function programOf(language: string) {
  const code = blocks.flatMap(({ kind, text }) => (kind === language ? [text] : []));
  const last = blocks.findLastIndex(({ kind }) => kind === language);
  return { code: code.join('\n'), printed: blocks.slice(last).find(({ kind }) => kind === 'text')!.text };
}

async function run(cwd: string, program: string, args: readonly string[], env: Record<string, string> = {}) {
  try {
    return (await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

const here = async (code: string) => {
  const { url } = await serveHere({ DATA_DIR: join(temporaryFolder(), 'data') });
  return code.replaceAll('http://localhost:8080', url);
};

describe('a client that is made', { timeout: 240_000 }, () => {
  it('by openapi-typescript compiles, and is answered through openapi-fetch', async () => {
    const folder = temporaryFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    await run(root, process.execPath, [TYPES_GENERATOR, OPENAPI, join(folder, 'types.d.ts')]);
    const { code, printed } = programOf('ts');
    writeFileSync(join(folder, 'main.mts'), await here(code));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'] },
          ...{ types: [], allowImportingTsExtensions: true },
        },
        files: ['main.mts'],
      }),
    );
    await run(folder, TSC, []);
    expect(await run(folder, process.execPath, ['main.mts'])).toBe(printed);
  });

  it.skipIf(python === null)(
    'by openapi-python-client is answered (left out where there is no Python 3.11 with pip)',
    async () => {
      const folder = temporaryFolder();
      const generator = { PYTHONPATH: pythonPackages() };
      // what puts the client in order is not needed to run it
      writeFileSync(join(folder, 'config.yml'), 'post_hooks: []\n');
      const generate = ['-m', 'openapi_python_client', 'generate', '--path', OPENAPI, '--output-path', 'client'];
      await run(folder, python!, [...generate, '--config', 'config.yml'], generator);
      const { code, printed } = programOf('python');
      writeFileSync(join(folder, 'main.py'), await here(code));
      const PYTHONPATH = [join(folder, 'client'), generator.PYTHONPATH].join(delimiter);
      expect(await run(folder, python!, ['main.py'], { PYTHONPATH })).toBe(printed);
      const calls = readdirSync(join(folder, 'client', 'shingled_client', 'api'), { recursive: true });
      expect(calls).toEqual(expect.arrayContaining(['similar/similar.py', 'similar/composition.py']));
    },
  );
});
