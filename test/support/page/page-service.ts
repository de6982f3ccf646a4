import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage } from '../../../tools/build-page.ts';
import { type HttpFixture, type HttpFixtureOptions, NDJSON } from '../http/http-fixture.ts';
import { createHttpOnDisk } from '../http/http-on-disk.ts';
import { listening } from '../http/raw-client.ts';
import { HOSTILE, KNOWN, type KnownLine } from './known-documents.ts';

/* A service with the page as it is built, and documents to look at. */

export interface PageService {
  readonly fixture: HttpFixture;
  /** Where the page is, with a slash at its end. */
  readonly url: string;
  /** The folder of the page. */
  readonly pageFolder: string;
  close(): Promise<void>;
}

/** The page is built once for all services of this process, and gone with it. */
let built: Promise<string> | undefined;

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-page-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  await buildPage(folder);
  return folder;
}

export async function openPageService(options: HttpFixtureOptions = {}): Promise<PageService> {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-page-'));
  built ??= build();
  const pageFolder = await built;
  const fixture = await createHttpOnDisk(folder, { ...options, http: { ...options.http, pageFolder } });
  const url = `http://127.0.0.1:${await listening(fixture.app)}/`;
  await write(fixture, [...KNOWN, ...HOSTILE]);
  return {
    ...{ fixture, url, pageFolder },
    async close() {
      await fixture.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function write(fixture: HttpFixture, lines: readonly KnownLine[]): Promise<void> {
  const payload = lines.map((line) => JSON.stringify(line)).join('\n');
  const { body } = await fixture.app.inject({ method: 'POST', url: '/documents', headers: NDJSON, payload });
  const failed = body.split('\n').filter((line) => line.includes('"code"'));
  if (failed.length > 0) throw new Error(failed.join('\n'));
}
