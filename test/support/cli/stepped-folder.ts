import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../src/config.ts';
import type { BulkLineAnswer, BulkOperation } from '../../../src/service/api.ts';
import { indexWith, runWith } from '../process/cli-run.ts';
import { temporaryFolder } from '../temp-folder.ts';

export const PREFIX = 'https://a.example/';
/** Long enough ago for a size and a time to prove something. */
export const AT_S = 1_700_000_000;

/** A folder of files, the state of loads over it, and an index that knows what they have told it. */
export class SteppedFolder {
  readonly work = temporaryFolder();
  readonly state = join(this.work, 'state');
  docs = join(this.work, 'docs');
  /** The text of each live document, and null of one that is gone. */
  readonly known = new Map<string, { readonly text: string | null; readonly seenAt: number }>();
  /** URLs of the puts of the last run, without the prefix. */
  puts: string[] = [];
  isFull: (url: string) => boolean = () => false;
  onPut: () => void = () => undefined;

  constructor() {
    this.write({ 'a.txt': 'one', 'b/c.txt': 'two', 'b/d.txt': 'three', 'e.txt': 'four' });
  }

  write(files: Readonly<Record<string, string>>, atS = AT_S): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.docs, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, atS, atS);
    }
  }

  remove(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.docs, path), { recursive: true });
  }

  /** URLs of live documents, without the prefix. */
  get live(): string[] {
    return [...this.known].flatMap(([url, { text }]) => (text === null ? [] : [url.slice(PREFIX.length)]));
  }

  async ingest(args: readonly string[] = [], until: AbortSignal = new AbortController().signal) {
    this.puts = [];
    const answerTo = this.#answerTo.bind(this);
    const index = indexWith({
      async *bulk(lines) {
        for await (const { line, operation } of lines) yield answerTo(operation, line);
      },
      durable: async () => undefined,
      lastSeen: async (url) => this.known.get(url)?.seenAt ?? null,
    });
    const { config } = readConfig({});
    const sources = async () => createIngestSources(config, (async function* () {})());
    const commands = { open: async () => index, sources };
    const given = ['ingest', this.docs, '--url-prefix', PREFIX, '--state', this.state, '--json', ...args];
    const { code, out, err } = await runWith(given, commands, { catchInterrupts: () => until });
    return { code, err, summary: out === '' ? null : JSON.parse(out) };
  }

  #answerTo(operation: BulkOperation, line: number): BulkLineAnswer {
    const { op, url } = operation;
    if (this.isFull(url)) return { line, url, status: 507, code: 'storage-full', detail: 'It is full.' };
    const before = this.known.get(url);
    if (op === 'gone') {
      if (before === undefined) return { line, url, status: 404, code: 'unknown-url', detail: 'Unknown.' };
      this.known.set(url, { text: null, seenAt: Date.now() });
      return { line, url, status: 200, result: before.text === null ? 'unchanged' : 'gone' };
    }
    if (op !== 'put') throw new Error(op);
    this.puts.push(url.slice(PREFIX.length));
    this.onPut();
    const text = Buffer.from(operation.body!.bytes).toString();
    if (text === 'no words') return { line, url, status: 422, code: 'empty-document', detail: 'No words.' };
    if (text === 'copy') return { line, url, status: 200, result: 'skipped' };
    this.known.set(url, { text, seenAt: operation.observedAt! });
    const result = before === undefined ? 'created' : before.text === text ? 'unchanged' : 'updated';
    return { line, url, status: 200, result, newContent: true, short: false };
  }
}
