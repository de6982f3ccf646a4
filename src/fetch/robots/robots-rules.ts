import robotsParser from 'robots-parser';
import type { ShingledError } from '../../errors.ts';

// The package declares an ES module's default export; what it is is CommonJS, whose default is the function itself.
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

/** What one robots.txt asks of us (RFC 9309). */
export interface RobotsRules {
  /** @param url absolute, of the origin that the rules are of */
  allows(url: URL): boolean;
  /** Crawl-delay in ms, 0 where there is none. */
  readonly crawlDelayMs: number;
  /** About what the rules take in memory. */
  readonly bytes: number;
  /** Why there are none that could be read; null where that is not so. */
  readonly failure: ShingledError | null;
}

export const ALLOW_ALL: RobotsRules = { allows: () => true, crawlDelayMs: 0, bytes: 0, failure: null };

export function allowNone(failure: ShingledError): RobotsRules {
  return { allows: () => false, crawlDelayMs: 0, bytes: 0, failure };
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
  const costPerPlace = patterns.reduce((sum, line) => sum + (line.includes('*') ? line.length : 1), 0);
  const delayS = rules.getCrawlDelay(token);
  return {
    crawlDelayMs: delayS !== undefined && delayS > 0 ? delayS * 1000 : 0,
    failure: null,
    bytes: 256 + lines.reduce((sum, line) => sum + 100 + 2 * line.length, 0),
    allows(url) {
      if (url.pathname === '/robots.txt') return true;
      if (costPerPlace * (url.pathname.length + url.search.length) > STEPS_MAX) return false;
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
