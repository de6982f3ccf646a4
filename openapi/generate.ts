import { readFileSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import type { HttpParts } from '../src/http/http-options.ts';
import { HTTP_LIMITS } from '../src/http/limits.ts';
import { typesOf } from './make-types.ts';

/* Writes openapi.json from the schemas of the routes, and types.d.ts from that; with --check, compares them with what is there. */

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const document = await openApiOf(version);
const files = { 'openapi.json': `${JSON.stringify(document, null, 2)}\n`, 'types.d.ts': typesOf(document) };
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (text !== readFileSync(file, 'utf8')) {
    console.error(`openapi/${name} is not what the schemas say: run npm run openapi`);
    process.exitCode = 1;
  }
}

async function openApiOf(version: string): Promise<object> {
  const options = {
    version,
    pageFolder: null,
    basePath: '',
    apiKeys: [],
    allowedHosts: [],
    corsOrigins: [],
    rateLimitPerMinute: 0,
    trustProxy: false,
  } as const;
  // the description is made from the routes alone: no request reaches any part
  const parts = { lifecycle: { phase: 'ready' }, logger: pino({ level: 'silent' }) } as unknown as HttpParts;
  const app = buildApp({ ...options, limits: HTTP_LIMITS }, parts);
  try {
    const answer = await app.inject('/openapi.json');
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  } finally {
    await app.close();
  }
}
