import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GuardedFetcher } from '../../src/fetch/guarded-fetcher.ts';
import type { Fetcher } from '../../src/fetch/port.ts';
import { codeOf } from '../support/fetch/loopback-fetcher.ts';
import { answer, type OriginServer, startOrigin } from '../support/fetch/origin-server.ts';
import { type SsrfCase, SsrfCases } from '../support/fetch/ssrf-cases.ts';
import { createPrng } from '../support/prng.ts';

/*
 * node test/campaigns/ssrf.ts --cases 100000 --seed 1
 *
 * Generated attempts to reach a private host. Two witnesses: canary servers on the loopback addresses, which count
 * connections, and a watch on every connection that this process tries, which also sees those to networks where no canary
 * can sit. Anything but the relay is a hit. Prints the counts, and fails unless there are none and every case failed.
 *
 * Linux: the relay needs a second loopback address, which others do not have unasked.
 */

const RELAY = '127.0.0.2';
const CANARIES = ['127.0.0.1', '127.0.0.3', '127.255.255.254', '::1'];
/** Cases under way at a time. */
const CONCURRENT = 32;
const BATCH = 1000;

export interface CampaignResult {
  readonly cases: number;
  /** Connections that a canary saw, or that were tried to anything but the relay. */
  readonly hits: readonly string[];
  /** Cases that did not end in an error. */
  readonly fetched: readonly SsrfCase[];
  /** How often each kind of case ended in each code. */
  readonly ends: ReadonlyMap<string, number>;
  /** Connections to the relay: that the campaign does fetch. */
  readonly relayed: number;
}

/** @param alsoAllowed networks opened on purpose, to see that the witnesses would speak up */
export async function runSsrfCampaign(
  cases: number,
  seed: number,
  alsoAllowed: readonly string[] = [],
): Promise<CampaignResult> {
  const canaries = await startCanaries();
  const canaryPort = canaries[0]!.port;
  let generator: SsrfCases | undefined;
  const relay = await startOrigin((socket, request) => generator!.relay(socket, request), { host: RELAY });
  const current = new SsrfCases(createPrng(seed), { relay: { address: RELAY, port: relay.port }, canaryPort });
  generator = current;
  const fetcher = new GuardedFetcher({
    portsAllowed: [80, 443, canaryPort, relay.port],
    privateAllowed: [`${RELAY}/32`, ...alsoAllowed],
    resolver: current.resolver,
    perHostIntervalMs: 0,
    perHostConcurrent: CONCURRENT,
    concurrentMax: CONCURRENT,
    connectTimeoutMs: 1000,
    failureMemoryMs: 0,
    failureStepMs: 0,
  });
  const dialled: string[] = [];
  const unwatch = watchDialling((address) => address !== RELAY && dialled.push(address));
  const ends = new Map<string, number>();
  const fetched: SsrfCase[] = [];
  try {
    for (let done = 0; done < cases; done += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, cases - done) }, () => current.next());
      await runBatch(fetcher, batch, ends, fetched);
      current.forget();
    }
  } finally {
    unwatch();
    await fetcher.close();
    await Promise.all([...canaries, relay].map((server) => server.close()));
  }
  const touched = canaries.flatMap(({ connections }, at) => (connections > 0 ? [`canary ${CANARIES[at]!}`] : []));
  return { cases, hits: [...touched, ...dialled], fetched, ends, relayed: relay.connections };
}

async function runBatch(fetcher: Fetcher, batch: SsrfCase[], ends: Map<string, number>, fetched: SsrfCase[]) {
  const worker = async () => {
    for (let next = batch.pop(); next !== undefined; next = batch.pop()) {
      const code = await codeOf(fetcher, next.url);
      if (code === 'none') fetched.push(next);
      const end = `${next.kind}${next.redirects > 0 ? ' by redirect' : ''}: ${code}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** On one port, so that a URL names each by its address alone; a machine without IPv6 has one less. */
async function startCanaries(): Promise<OriginServer[]> {
  const first = await startOrigin(answer({ body: 'SECRET' }), { host: CANARIES[0]! });
  const rest = CANARIES.slice(1).map((host) =>
    startOrigin(answer({ body: 'SECRET' }), { host, port: first.port }).catch(() => null),
  );
  return [first, ...(await Promise.all(rest)).filter((server) => server !== null)];
}

/** Tells the address of every connection that any socket of this process tries. */
function watchDialling(tell: (address: string) => void): () => void {
  const connect = Socket.prototype.connect;
  function watched(this: Socket, ...args: Parameters<typeof connect>): Socket {
    this.prependListener('connectionAttempt', (address: string) => tell(address));
    return connect.apply(this, args);
  }
  Socket.prototype.connect = watched as typeof connect;
  return () => {
    Socket.prototype.connect = connect;
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  });
  const startedMs = performance.now();
  const { cases, hits, fetched, ends, relayed } = await runSsrfCampaign(Number(values.cases), Number(values.seed));
  for (const [end, count] of [...ends].sort()) console.log(`${String(count).padStart(8)}  ${end}`);
  for (const { kind, hostile, url } of fetched.slice(0, 20)) console.log(`fetched: ${kind} ${hostile} (${url})`);
  for (const hit of hits.slice(0, 20)) console.log(`hit: ${hit}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `${cases} cases, seed ${values.seed}: ${hits.length} hits, ${fetched.length} fetched, ${relayed} relayed, ${seconds} s`,
  );
  process.exitCode = hits.length === 0 && fetched.length === 0 ? 0 : 1;
}
