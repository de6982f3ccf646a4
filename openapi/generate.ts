import { readFileSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { HTTP_LIMITS } from '../src/http/limits.ts';
import type { HttpParts } from '../src/http/options.ts';

/* Writes openapi.json from the schemas of the routes; with --check, compares it with what is there. */

const file = new URL('openapi.json', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const text = `${JSON.stringify(await openApiOf(version), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (text !== readFileSync(file, 'utf8')) {
  console.error('openapi/openapi.json is not what the schemas say: run npm run openapi');
  process.exitCode = 1;
}

async function openApiOf(version: string): Promise<unknown> {
  const options = {
    version,
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
