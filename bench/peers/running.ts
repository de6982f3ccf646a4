import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawRequest } from '../support/raw-client.ts';
import { bulk, freePort, startService } from '../support/service-process.ts';
import { framedText, THRESHOLD, WORDS } from './framed-texts.ts';

/** A service that knows all texts, and how it is asked. */
export interface Running {
  readonly port: number;
  readonly pid: number;
  byText(text: string): Buffer;
  byNumber(number: number): Buffer;
  /** The texts that an answer names. */
  found(body: string): Set<number>;
  stop(): Promise<void>;
}

export interface Peer {
  readonly name: string;
  /** @param texts a file with one text a line */
  start(texts: string, count: number): Promise<Running>;
}

const SECRET = 'p'.repeat(20);
const TEXT = 'text/plain; charset=utf-8';
/** A service that reads a million texts first takes many minutes. */
const START_MS = 3_600_000;
const urlOf = (number: number) => `https://host${number % 997}.example/page/${number}`;

interface OwnAnswer {
  readonly matches: readonly { readonly sources: readonly { readonly url: string }[] }[];
}

export const shingled: Peer = {
  name: 'shingled',
  async start(_texts, count) {
    const service = await startService({
      SHINGLE_SIZE: String(WORDS),
      STORE_MEMORY_MB: '1024',
      RATE_LIMIT_PER_MINUTE: '0',
      ALLOWED_HOSTS: '127.0.0.1',
    });
    const asked = `resemblance=${THRESHOLD}&queryInMatch=off&limit=100&sourcesPerMatch=50`;
    await bulk(service.client, documents(count));
    return {
      port: service.port,
      pid: service.pid,
      byText: (text) => rawRequest('POST', `/similar?${asked}`, SECRET, { type: TEXT, data: text }),
      byNumber: (number) => rawRequest('GET', `/similar?${asked}&url=${encodeURIComponent(urlOf(number))}`, SECRET),
      found: (body) => {
        const { matches } = JSON.parse(body) as OwnAnswer;
        return new Set(matches.flatMap(({ sources }) => sources.map(({ url }) => Number(url.split('/').at(-1)))));
      },
      stop: () => service.stop(),
    };
  },
};

function* documents(count: number) {
  for (let number = 0; number < count; number++) yield { url: urlOf(number), text: framedText(number) };
}

/** By FastAPI and a library of Python. */
export function pythonPeer(python: string, library: 'rensa' | 'datasketch'): Peer {
  const script = join(import.meta.dirname, 'peer_service.py');
  return { name: library, start: (texts) => startOther((port) => [python, script, library, texts, String(port)]) };
}

/** @param jars of lucene-core and lucene-analysis-common; @param folder for its index */
export function lucenePeer(jars: string, folder: string): Peer {
  const program = join(import.meta.dirname, 'LuceneService.java');
  const heap = '-Xmx4g';
  return {
    name: 'lucene',
    start: (texts) =>
      startOther((port) => ['java', heap, '-cp', join(jars, '*'), program, texts, String(port), folder]),
  };
}

async function startOther(command: (port: number) => readonly string[]): Promise<Running> {
  const port = await freePort();
  const [program, ...args] = command(port);
  const child = spawn(program!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(child, port);
  return {
    port,
    pid: child.pid!,
    byText: (text) => rawRequest('POST', '/query', SECRET, { type: TEXT, data: text }),
    byNumber: (number) => rawRequest('GET', `/similar?id=${number}`, SECRET),
    found: (body) => new Set((JSON.parse(body) as { id: number }[]).map(({ id }) => id)),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`a service ended with ${child.exitCode} before it listened`);
    const answer = await fetch(`http://127.0.0.1:${port}/similar?id=0`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`a service did not listen within ${START_MS} ms`);
}
