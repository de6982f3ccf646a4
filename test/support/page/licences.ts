import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NDJSON } from '../http/http-fixture.ts';
import type { PageService } from './page-service.ts';

/* What docs/page.md says is there to look at: the licences of this clone's packages. */

export const PACKAGES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

export const LICENCE = 'https://packages.example/fastify/LICENSE';

export interface Licence {
  /** Of its package. */
  readonly name: string;
  readonly url: string;
  readonly text: string;
  readonly observedAt?: string;
}

/** One of each package at the top of node_modules. */
export function licences(): Licence[] {
  return readdirSync(PACKAGES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const file = readdirSync(PACKAGES + name).find((each) => /^licen[cs]e(\.md|\.txt)?$/i.test(each));
      if (file === undefined) return [];
      const text = readFileSync(`${PACKAGES}${name}/${file}`, 'utf8');
      return { name, url: `https://packages.example/${name}/LICENSE`, text };
    });
}

/** Puts them into the index of a service. */
export async function putLicences({ fixture }: PageService, all: readonly Licence[]): Promise<void> {
  const payload = all.map(({ name: _name, ...line }) => JSON.stringify({ op: 'put', ...line })).join('\n');
  await fixture.app.inject({ method: 'POST', url: '/documents', headers: NDJSON, payload });
}
