import robotsParser from 'robots-parser';
import { ShingledError } from '../../errors.ts';
import { type Hop, locationOf } from '../answers.ts';
import { codingsOfAnswer, readBody } from '../exchange/body.ts';
import type { Answer } from '../exchange/exchange.ts';
import type { Target } from '../exchange/target.ts';
import type { Visit } from '../exchange/visit.ts';
import { ExpiringMap } from '../expiring-map.ts';
import { concernsOrigin, fetchFailed } from '../failure.ts';
import type { FetchLimits } from '../limits.ts';

// The package declares an ES module's default export; what it is is CommonJS, whose default is the function itself.
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

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

/** What one robots.txt asks of us (RFC 9309). */
interface RobotsRules {
  /** @param url absolute, of the origin that the rules are of */
  allows(url: URL): boolean;
  /** Crawl-delay in ms, 0 where there is none. */
  readonly crawlDelayMs: number;
  /** About what the rules take in memory. */
  readonly bytes: number;
  /** Why there are none that could be read; null where that is not so. */
  readonly failure: ShingledError | null;
}

const ALLOW_ALL: RobotsRules = { allows: () => true, crawlDelayMs: 0, bytes: 0, failure: null };

function allowNone(failure: ShingledError): RobotsRules {
  return { allows: () => false, crawlDelayMs: 0, bytes: 0, failure };
}

/** Fetches a robots.txt through the guarded way, redirects followed, a turn for each; the last answer is read by `read`. */
type RobotsFetch = (
  target: Target,
  visit: Visit,
  read: (answer: Answer) => Promise<Hop<RobotsRules>>,
) => Promise<RobotsRules>;

interface RobotsOptions {
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
    const codings = codingsOfAnswer(answer, 'robots.txt');
    const bytes = await readBody(answer.body, codings, {
      bytesMax: BYTES_MAX,
      ratioMax,
      ratioFreeBytes,
      excess: 'cut',
    });
    // packed in a way that is not known: rules that nobody can read are not the same as none
    if (bytes.includes(0) && codings.length === 0 && answer.header('content-encoding').length > 0) {
      throw fetchFailed('content-coding', 'robots.txt');
    }
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

/** Comparisons of a pattern's character with a position in the path: about 0.1 s. */
const STEPS_MAX = 32_000_000;

/**
 * Reads the rules for the agent named `token` (else for `*`) from the text of an origin's robots.txt.
 *
 * robots-parser matches as Google's parser does, but trusts its input in two ways. It copies every rule to every agent
 * that the group names (500 KiB of agents and rules: no memory left). Its matching of wildcards costs the length of the
 * pattern times that of the path. So it is given only what concerns us, each agent once a group. Where matching would
 * take too many steps nothing is allowed: only a host that means harm is hit.
 */
export function readRobots(origin: string, text: string, token: string): RobotsRules {
  const lines = relevantLines(text, token.toLowerCase());
  const rules = parseRobots(`${origin}/robots.txt`, lines.join('\n'));
  const patterns = lines.filter((line) => line.startsWith('allow:') || line.startsWith('disallow:'));
  const costPerLetter = patterns.reduce((sum, line) => sum + (line.includes('*') ? line.length : 1), 0);
  const delayS = rules.getCrawlDelay(token);
  return {
    crawlDelayMs: delayS !== undefined && delayS > 0 ? delayS * 1000 : 0,
    failure: null,
    bytes: 256 + lines.reduce((sum, line) => sum + 100 + 2 * line.length, 0),
    allows(url) {
      if (url.pathname === '/robots.txt') return true;
      if (costPerLetter * (url.pathname.length + url.search.length) > STEPS_MAX) return false;
      return rules.isAllowed(url.href, token) ?? false;
    },
  };
}

/** The groups of the agents `token` and `*`, in lower case but for the patterns; comments and other records are gone. */
function relevantLines(text: string, token: string): string[] {
  const kept: string[] = [];
  let agents = new Set<string>();
  let inAgents = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const record = /^[ \t]*(user-agent|allow|disallow|crawl-delay)[ \t]*:([^#]*)/i.exec(line);
    if (record === null) continue;
    const name = record[1]!.toLowerCase();
    const value = record[2]!.trim();
    if (name !== 'user-agent') {
      inAgents = false;
      if (agents.size > 0) kept.push(`${name}:${value}`);
      continue;
    }
    if (!inAgents) agents = new Set();
    inAgents = true;
    const agent = value.toLowerCase().split('/')[0]!.trim();
    if ((agent === token || agent === '*') && !agents.has(agent)) {
      agents.add(agent);
      kept.push(`user-agent:${agent}`);
    }
  }
  return kept;
}
