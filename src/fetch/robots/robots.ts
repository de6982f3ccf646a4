import { ShingledError } from '../../errors.ts';
import { codingOf, readBody } from '../exchange/body.ts';
import type { Answer } from '../exchange/exchange.ts';
import { type Hop, locationOf } from '../exchange/redirects.ts';
import type { Target } from '../exchange/target.ts';
import type { Visit } from '../exchange/visit.ts';
import { ExpiringMap } from '../expiring-map.ts';
import { concernsOrigin } from '../failure.ts';
import type { FetchLimits } from '../limits.ts';
import { ALLOW_ALL, allowNone, type RobotsRules, readRobots } from './robots-rules.ts';

/*
 * May a crawl take this URL? RFC 9309: the robots.txt of the origin decides; a 4xx means there is none, a 5xx or a
 * broken answer that nothing may be taken. Ours: 429 counts as a 5xx, for "do not ask so often" is no permission, as
 * Google reads it. A host that cannot be connected to fails as such instead of seeming to forbid something.
 */

/** Bytes read of one, after decompression; what lies beyond is not. RFC 9309 asks for at least 500 KiB. */
const BYTES_MAX = 500 * 1024;
/** How long one holds: RFC 9309 asks for at most a day. */
const MEMORY_MS = 24 * 3_600_000;
/** How long one that could not be read forbids everything: unreachable means forbidden, and it is soon tried again. */
const FAILURE_MEMORY_MS = 10 * 60_000;
/** Hosts whose rules are remembered, and bytes of all of them together: both bound memory. */
const HOSTS_MAX = 2_000;
export const ROBOTS_MEMORY_BYTES_MAX = 8 * 2 ** 20;

/** Fetches a robots.txt through the guarded way, redirects followed, a turn for each; the last answer is read by `read`. */
export type RobotsFetch = (
  target: Target,
  visit: Visit,
  read: (answer: Answer) => Promise<Hop<RobotsRules>>,
) => Promise<RobotsRules>;

export interface RobotsOptions {
  readonly fetch: RobotsFetch;
  /** The product token that groups are looked for by. */
  readonly token: string;
  readonly limits: Pick<FetchLimits, 'crawlDelayMaxMs' | 'ratioMax' | 'ratioFreeBytes'>;
  readonly now: () => number;
}

export class Robots {
  readonly #options: RobotsOptions;
  readonly #known: ExpiringMap<RobotsRules>;

  constructor(options: RobotsOptions) {
    this.#options = options;
    this.#known = new ExpiringMap(HOSTS_MAX, ROBOTS_MEMORY_BYTES_MAX);
  }

  /** Refuses what is known to be forbidden without asking, before a turn is spent on it. @throws `robots-disallowed` */
  checkKnown({ url }: Target): void {
    refuseUnlessAllowed(this.#known.get(url.origin, this.#options.now())?.value ?? ALLOW_ALL, url);
  }

  /**
   * Asks the host where need be, and leaves the visit at it, with its turns spaced by its Crawl-delay.
   *
   * @throws ShingledError `robots-disallowed`; `fetch-failed` where the host cannot be connected to; `overloaded`; the
   *   reason of the visit's signal
   */
  async check(target: Target, visit: Visit): Promise<void> {
    await visit.at(target.hostname);
    // looked for now: others may have asked while this one waited
    const known = this.#known.get(target.url.origin, this.#options.now());
    const rules = known?.value ?? (await this.#load(target, visit));
    refuseUnlessAllowed(rules, target.url);
    await visit.at(target.hostname);
    if (rules.crawlDelayMs > 0) visit.spaceMs(Math.min(rules.crawlDelayMs, this.#options.limits.crawlDelayMaxMs));
  }

  async #load(target: Target, visit: Visit): Promise<RobotsRules> {
    const { now, token } = this.#options;
    const { origin } = target.url;
    const robots = { ...target, url: new URL('/robots.txt', origin) };
    let memoryMs = MEMORY_MS;
    let answered = false;
    const rules = await this.#options
      .fetch(robots, visit, async (answer) => {
        answered = true;
        const location = locationOf(answer);
        if (location !== null) return { location };
        const { status } = answer;
        if (status >= 200 && status < 300) return { done: readRobots(origin, await this.#textOf(answer), token) };
        if (status >= 400 && status < 500 && status !== 429) return { done: ALLOW_ALL };
        throw new ShingledError('fetch-status', `The robots.txt was answered with status ${status}.`);
      })
      .catch((error: unknown) => {
        if (!(error instanceof ShingledError) || error.code === 'overloaded') throw error;
        if (!answered && concernsOrigin(error)) throw error;
        if (visit.signal.aborted && error.code !== 'fetch-timeout') throw error;
        memoryMs = FAILURE_MEMORY_MS;
        return allowNone(error);
      });
    this.#known.set(origin, rules, now() + memoryMs, rules.bytes);
    visit.signal.throwIfAborted();
    return rules;
  }

  /** As much of the text as is read. */
  async #textOf(answer: Answer): Promise<string> {
    const { ratioMax, ratioFreeBytes } = this.#options.limits;
    const coding = codingOf(answer.header('content-encoding'), 'robots.txt');
    const bytes = await readBody(answer.body, coding, { bytesMax: BYTES_MAX, ratioMax, ratioFreeBytes, excess: 'cut' });
    return new TextDecoder().decode(bytes);
  }
}

function refuseUnlessAllowed(rules: RobotsRules, url: URL): void {
  if (rules.allows(url)) return;
  const { failure } = rules;
  const detail =
    failure === null
      ? 'The robots.txt of the host forbids this URL to crawlers.'
      : 'The robots.txt of the host cannot be read, which forbids everything.';
  throw new ShingledError('robots-disallowed', detail, { cause: failure?.cause });
}
