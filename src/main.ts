#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { faultOfNode } from './node-version.ts';

const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

// as the first process of a container it would not even notice a signal that it does not listen for
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const)
  process.on(signal, () => process.exit(128 + number));

const fault = faultOfNode(process.versions.node, engines.node);
if (fault === null) {
  // only now: under an older Node the packages fail while they load, by errors that say nothing
  const { run } = await import('./run.ts');
  process.exitCode = await run(process, version);
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
}
