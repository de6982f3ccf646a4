import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runHere } from '../process/run-here.ts';

/*
 * `npx shingled` for scripts, without a process of Node: a script of sh hands its words, its environment and its standard
 * input to this process, which has loaded the commands long ago. 0.1 s where a process takes 1.
 */

const script = (url: string) => `#!/bin/sh
set -eu
told=$(mktemp -d)
env -0 > "$told/env"
for word do
  if [ "$word" = - ]; then cat > "$told/in"; fi
  set -- "$@" --data-urlencode "word=$word"
  shift
done
code=$(curl -sS "${url}" --data-urlencode "told=$told" --data-urlencode "cwd=$PWD" "$@")
cat "$told/out"
cat "$told/err" >&2
rm -r "$told"
exit "$code"
`;

/**
 * Takes the commands of scripts, one at a time, until it is closed.
 *
 * @param folder where the script may lie
 * @returns the path of the script that stands for `npx shingled`
 */
export async function takeCommands(folder: string): Promise<{ readonly path: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    void text(request)
      .then(answer)
      .catch(String)
      .then((code) => response.end(code));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const path = join(folder, 'shingled');
  writeFileSync(path, script(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  chmodSync(path, 0o755);
  return { path, close: () => void server.close() };
}

/** @returns the exit code of the command that a script asks for */
async function answer(form: string): Promise<string> {
  const asked = new URLSearchParams(form);
  const told = asked.get('told')!;
  const lines = readFileSync(join(told, 'env'), 'utf8').split('\0').filter(Boolean);
  const environment = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const input = join(told, 'in');
  const stdin = Readable.from(existsSync(input) ? [readFileSync(input)] : []);
  const before = process.cwd();
  process.chdir(asked.get('cwd')!);
  try {
    const { code, out, err } = await runHere(asked.getAll('word'), environment, stdin);
    writeFileSync(join(told, 'out'), out);
    writeFileSync(join(told, 'err'), err);
    return String(code);
  } finally {
    process.chdir(before);
  }
}
