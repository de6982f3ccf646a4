import { connect, createServer } from 'node:net';
import { RawClient, rawRequest } from '../raw-client.ts';
import { documentText, edited, textOf } from '../texts.ts';

/*
 * What one key can ask for at once and all the time, to keep others from being served. Each hog goes on by itself until its
 * process ends, and counts what it got.
 */

export interface HogOptions {
  readonly port: number;
  readonly secret: string;
  /** For servers that the service is to fetch from. */
  readonly originPort: number;
  /** In place of the number that its name says. */
  readonly connections?: number | undefined;
  readonly got: (status: number) => void;
}

/** URLs that the service knows before. */
export const knownUrl = (index: number) => `https://bench.example/${index}`;
export const KNOWN = 2_000;
export const TEXT_BYTES = 5_000;

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const PAUSE_AFTER_REFUSAL_MS = 5;

/** A family of near-copies, the first of which have many long URLs, each with notes. */
const FAMILY = 4_000;
const familyText = (index: number) => edited(documentText(999_999, 1_000), index, 0.02);
const familyUrl = (index: number, copy: number) =>
  `https://f${copy}.family.example/${index}${copy === 0 ? '' : `/${'a'.repeat(1900)}`}`;
export function* familyDocuments(): Generator<{ readonly url: string; readonly text: string; readonly meta: object }> {
  for (let index = 0; index < FAMILY; index++) {
    const copies = index < 12 ? 500 : 1;
    const meta = index < 12 ? { note: 'n'.repeat(4000) } : { kind: `k${index % 7}` };
    const text = familyText(index);
    for (let copy = 0; copy < copies; copy++) yield { url: familyUrl(index, copy), text, meta };
  }
}

function ofFamily({ secret }: HogOptions, question: string, index: number): Buffer {
  return rawRequest('POST', `/similar?${question}`, secret, { type: TEXT_TYPE, data: familyText(index) });
}

/** So many connections, each with one request under way. */
function closedLoop(options: HogOptions, usual: number, requestOf: (number: number) => Buffer): void {
  const { port, got, connections = usual } = options;
  let number = 0;
  const run = async () => {
    const client = new RawClient(port);
    for (;;) {
      const { status } = await client.ask(requestOf(number++));
      got(status);
      // a client that were told to come back later and came at once would only burn this machine's cores
      if (status >= 400 || status === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_REFUSAL_MS));
    }
  };
  for (let i = 0; i < connections; i++) void run();
}

function slowBodies({ port, secret, got }: HogOptions): void {
  const size = 8 * 1024 * 1024;
  const head = `POST /similar HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ncontent-type: text/plain\r\ncontent-length: ${size}\r\n\r\n`;
  const most = Buffer.alloc(size - 60, 'a ');
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    socket.write(most);
    const drip = setInterval(() => socket.write('a'), 1000);
    socket.on('data', (data) => got(Number(data.toString('latin1', 9, 12))));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      setTimeout(open, 200);
    });
  };
  for (let i = 0; i < 40; i++) open();
}

/** Servers that take a connection and say nothing, each host by itself. */
async function slowOrigins(options: HogOptions): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(options.originPort, '0.0.0.0', resolve));
  closedLoop(options, 200, (number) => {
    const url = `http://127.${1 + (number % 200)}.${Math.floor(number / 200) % 250}.7:${options.originPort}/${number}`;
    return rawRequest('GET', `/similar?deadlineMs=60000&url=${encodeURIComponent(url)}`, options.secret);
  });
}

const lines = (count: number, lineOf: (index: number) => object) =>
  `${Array.from({ length: count }, (_, index) => JSON.stringify(lineOf(index))).join('\n')}\n`;

export const HOGS: Readonly<Record<string, (options: HogOptions) => void | Promise<void>>> = {
  '64 slow selectors': (options) => {
    const page = { type: 'text/html', data: '<i></i>'.repeat(190_000) };
    const path = `/similar?deadlineMs=60000&select=${encodeURIComponent('i:has(~ b)')}`;
    const request = rawRequest('POST', path, options.secret, page);
    closedLoop(options, 64, () => request);
  },
  '40 slow bodies of 8 MiB': slowBodies,
  '64 similar by JSON of 100 KB': (options) => {
    const requests = Array.from({ length: 20 }, (_, index) => {
      const data = JSON.stringify({ document: { text: textOf(index, 100_000) }, deadlineMs: 60_000 });
      return rawRequest('POST', '/similar', options.secret, { type: JSON_TYPE, data });
    });
    closedLoop(options, 64, (number) => requests[number % requests.length]!);
  },
  '16 batches of queries': (options) => {
    const data = lines(500, (index) => ({ document: { text: documentText(index, TEXT_BYTES) }, deadlineMs: 60_000 }));
    const request = rawRequest('POST', '/similar', options.secret, { type: LINES_TYPE, data });
    closedLoop(options, 16, () => request);
  },
  '16 bulk writes': (options) => {
    closedLoop(options, 16, (number) => {
      const data = lines(500, (index) => ({
        op: 'put',
        url: `https://hog.example/${number % 200}/${index}`,
        text: documentText(number * 500 + index, TEXT_BYTES),
      }));
      return rawRequest('POST', '/documents', options.secret, { type: LINES_TYPE, data });
    });
  },
  '64 puts': (options) => {
    const texts = Array.from({ length: 500 }, (_, index) => documentText(index + 50_000, TEXT_BYTES));
    closedLoop(options, 64, (number) =>
      rawRequest('PUT', `/documents?url=https://hog.example/${number % 20_000}`, options.secret, {
        type: TEXT_TYPE,
        data: texts[number % texts.length]!,
      }),
    );
  },
  '16 collapses of 1,000 results': (options) => {
    const results = Array.from({ length: 1000 }, (_, index) => ({ url: knownUrl(index) }));
    const data = JSON.stringify({ results, deadlineMs: 60_000 });
    const request = rawRequest('POST', '/collapse', options.secret, { type: JSON_TYPE, data });
    closedLoop(options, 16, () => request);
  },
  '16 compares of two texts of 4 MB': (options) => {
    const [a, b] = [1, 2].map((seed) => ({ text: textOf(seed, 4_000_000) }));
    const data = JSON.stringify({ a, b, deadlineMs: 60_000 });
    const request = rawRequest('POST', '/compare', options.secret, { type: JSON_TYPE, data });
    closedLoop(options, 16, () => request);
  },
  '400 connections of GET': (options) => {
    closedLoop(options, 400, (number) =>
      rawRequest('GET', `/documents?url=${encodeURIComponent(knownUrl(number % KNOWN))}`, options.secret),
    );
  },
  '200 fetches of slow origins': slowOrigins,
  '64 dry runs': (options) => {
    const request = rawRequest('DELETE', '/documents/list?dryRun=true&state=live', options.secret);
    closedLoop(options, 64, () => request);
  },
  '64 lists with a filter that nothing passes': (options) => {
    const meta = encodeURIComponent('{"kind":"nowhere"}');
    const request = rawRequest('GET', `/documents/list?meta=${meta}&limit=1000`, options.secret);
    closedLoop(options, 64, () => request);
  },
  '64 counts by host': (options) => {
    const request = rawRequest('GET', '/documents/hosts?limit=1000', options.secret);
    closedLoop(options, 64, () => request);
  },
  '64 changes by host': (options) => {
    const request = rawRequest('GET', '/documents/changes?limit=1000', options.secret);
    closedLoop(options, 64, () => request);
  },
  '8 exports': (options) => {
    const request = rawRequest('GET', '/documents/export', options.secret);
    closedLoop(options, 8, () => request);
  },
  '64 answers of megabytes': (options) => {
    const question = 'limit=1000&sourcesPerMatch=1000&resemblance=0.3&deadlineMs=60000';
    const request = ofFamily(options, question, 0);
    closedLoop(options, 64, () => request);
  },
  '64 thorough pages': (options) => {
    const question = 'thorough=true&limit=1000&resemblance=0.3&deadlineMs=60000';
    const requests = Array.from({ length: 50 }, (_, index) => ofFamily(options, question, index));
    closedLoop(options, 64, (number) => requests[number % requests.length]!);
  },
  '64 passages of a family': (options) => {
    const question = 'passages=true&limit=1000&resemblance=0.3&deadlineMs=60000';
    const requests = Array.from({ length: 50 }, (_, index) => ofFamily(options, question, index));
    closedLoop(options, 64, (number) => requests[number % requests.length]!);
  },
  '64 queries with 1,000 exclusions': (options) => {
    const urls = Array.from({ length: 1000 }, (_, index) => `https://h${index}.example/${'a'.repeat(1900)}`);
    const hosts = urls.map((_, index) => `h\u00fc${index}.example`);
    const document = { text: familyText(0) };
    const data = JSON.stringify({ document, exclude: { hosts, urls }, deadlineMs: 60_000 });
    const request = rawRequest('POST', '/similar', options.secret, { type: JSON_TYPE, data });
    closedLoop(options, 64, () => request);
  },
  '64 clusters': (options) => {
    closedLoop(options, 64, (number) => {
      const url = encodeURIComponent(familyUrl(number % FAMILY, 0));
      return rawRequest('GET', `/clusters?url=${url}&threshold=0.3&deadlineMs=60000`, options.secret);
    });
  },
  '16 lists of 100 old URLs': (options) => {
    closedLoop(options, 16, (number) => {
      const urls = Array.from({ length: 100 }, (_, index) => familyUrl((number * 100 + index) % FAMILY, 0));
      const data = JSON.stringify({ urls, always: true });
      return rawRequest('POST', '/moved', options.secret, { type: JSON_TYPE, data });
    });
  },
  '16 compositions of 1 MB': (options) => {
    const data = Array.from({ length: 200 }, (_, index) => documentText(index, TEXT_BYTES)).join(' ');
    const request = rawRequest('POST', '/composition?deadlineMs=60000', options.secret, { type: TEXT_TYPE, data });
    closedLoop(options, 16, () => request);
  },
  '16 differences of two texts of 4 MB': (options) => {
    const [a, b] = [1, 2].map((seed) => ({ text: textOf(seed, 4_000_000) }));
    const data = JSON.stringify({ a, b, differences: true, deadlineMs: 60_000 });
    const request = rawRequest('POST', '/compare', options.secret, { type: JSON_TYPE, data });
    closedLoop(options, 16, () => request);
  },
};
