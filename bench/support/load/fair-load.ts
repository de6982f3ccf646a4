import { type RawAnswer, RawClient, rawRequest } from '../raw-client.ts';
import { quantile } from '../table.ts';
import { documentText, edited } from '../texts.ts';
import { HOGS, KNOWN, TEXT_BYTES } from './fair-hogs.ts';

/*
 * One caller, in a process of its own: `fork` it with {port, secret, role} as its argument, it says when it has begun; send
 * it `begin` to count from there and `stop`, and it says what it got. A role is `eager`, `polite` or the name of a hog.
 */

export interface LoadSetup {
  readonly port: number;
  readonly secret: string;
  readonly role: string;
  readonly originPort: number;
  /** 16 of an eager caller where it is left out, of a hog as many as its name says. */
  readonly connections?: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** Answers by their status; 0 = none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers of 2xx a second, and their times; null where there was none. */
  readonly served: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly worst: number;
  /** The longest that a refusal took; null where there was none. */
  readonly refusalWorst: number | null;
}

const EAGER_CONNECTIONS = 16;
const POLITE_EVERY_MS = 40;
const POLITE_CONNECTIONS = 32;

const setup = JSON.parse(process.argv[2]!) as LoadSetup;
const { port, secret, role, originPort } = setup;
const statuses: Record<string, number> = {};
const times: number[] = [];
const refusalTimes: number[] = [];
let startedAt = performance.now();

function note(status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

function take({ status, ms }: RawAnswer): void {
  note(status);
  if (status >= 200 && status < 300) times.push(ms);
  else refusalTimes.push(ms);
}

const queries = Array.from({ length: 200 }, (_, i) =>
  rawRequest('POST', '/similar', secret, {
    type: 'text/plain; charset=utf-8',
    data: edited(documentText((i * 37) % KNOWN, TEXT_BYTES), i, 0.01),
  }),
);
const puts = Array.from({ length: 200 }, (_, i) =>
  rawRequest('PUT', `/documents?url=https://${role}.example/${i}`, secret, {
    type: 'text/plain; charset=utf-8',
    data: documentText(i + 20_000, TEXT_BYTES),
  }),
);

/** Small queries and, every fifth, a put. */
function requestOf(number: number): Buffer {
  return (number % 5 === 4 ? puts : queries)[number % 200]!;
}

async function eager(): Promise<void> {
  let number = 0;
  const run = async () => {
    const client = new RawClient(port);
    for (;;) {
      const answer = await client.ask(requestOf(number++));
      take(answer);
      if (answer.status >= 400 || answer.status === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  for (let i = 0; i < (setup.connections ?? EAGER_CONNECTIONS); i++) void run();
}

/** Asks at a steady pace, whatever becomes of what it has asked. */
function polite(): void {
  const idle = Array.from({ length: POLITE_CONNECTIONS }, () => new RawClient(port));
  let number = 0;
  const ask = async () => {
    const client = idle.pop();
    // all wait for answers: this one had to wait, too
    if (client === undefined) return note(-1);
    take(await client.ask(requestOf(number++)));
    idle.push(client);
  };
  setInterval(() => void ask(), POLITE_EVERY_MS);
}

if (role === 'eager') void eager();
else if (role === 'polite') polite();
else void HOGS[role]!({ port, secret, originPort, connections: setup.connections, got: note });
process.send!('begun');

process.on('message', (message) => {
  if (message === 'begin') {
    startedAt = performance.now();
    for (const status of Object.keys(statuses)) delete statuses[status];
    times.length = 0;
    refusalTimes.length = 0;
    return;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const result: LoadResult = {
    seconds,
    statuses,
    served: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    worst: times.reduce((most, ms) => Math.max(most, ms), 0),
    refusalWorst: refusalTimes.length === 0 ? null : refusalTimes.reduce((most, ms) => Math.max(most, ms), 0),
  };
  process.send!(result, () => process.exit());
});
process.on('disconnect', () => process.exit());
