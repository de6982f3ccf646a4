import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * The types of all requests and answers, for those who call the service from TypeScript: types.d.ts. They are what the linter
 * of the document, which is here anyway, makes beside a client of its own, and need nothing of that client.
 */

const HEAD = '// The types of openapi.json, made from it by `npm run openapi`.\n';
const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

/**
 * @param document the OpenAPI document
 * @returns TypeScript: a type for each of its schemas, by the schema's name
 * @throws where redocly fails
 */
export function typesOf(document: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-types-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    execFileSync(
      process.execPath,
      [redocly, 'generate-client', 'openapi.json', '--output', 'client.ts', '--output-mode', 'split'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdio: 'pipe',
      },
    );
    return readFileSync(join(folder, 'client.schemas.ts'), 'utf8').replace(/^(\/\/.*\n)+/, HEAD);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
