import { describe, expect, it } from 'vitest';
import { readRobots } from '../../../src/fetch/robots/robots.ts';

const ORIGIN = 'https://a.example';
const rules = (...lines: readonly string[]) => readRobots(ORIGIN, lines.join('\n'), 'shingled');
const allows = (path: string, ...lines: readonly string[]) => rules(...lines).allows(new URL(path, ORIGIN));

describe('the rules of a robots.txt', () => {
  it('are those of our group, else of everybody, else none', () => {
    const text = [
      'User-agent: other',
      'Disallow: /',
      '',
      'User-agent: *',
      'Disallow: /all',
      '',
      'User-Agent: Shingled/2',
      'Disallow: /ours',
    ];
    expect(allows('/all', ...text)).toBe(true);
    expect(allows('/ours', ...text)).toBe(false);
    expect(allows('/all', ...text.slice(0, 5))).toBe(false);
    expect(allows('/anything', ...text.slice(0, 2))).toBe(true);
    expect(allows('/')).toBe(true);
  });

  it('of several groups that name us count together, and of one group for all that it names', () => {
    const text = [
      'User-agent: other',
      'User-agent: shingled',
      'Disallow: /a',
      'Sitemap: https://a.example/s',
      'Disallow: /b',
      'User-agent: x',
      'Disallow: /c',
      'User-agent: shingled',
      'Disallow: /d',
    ];
    expect(['/a', '/b', '/c', '/d'].map((path) => allows(path, ...text))).toEqual([false, false, true, false]);
  });

  it.each([
    ['/a', ['Disallow: /', 'Allow: /a'], true],
    ['/a', ['Allow: /a', 'Disallow: /a'], true],
    ['/ab', ['Allow: /a', 'Disallow: /ab'], false],
    ['/a', ['Disallow:'], true],
    ['/a', ['Disallow: /A'], true],
    ['/a/b.php?q', ['Disallow: /*.php'], false],
    ['/a/b.php?q', ['Disallow: /*.php$'], true],
    ['/a/b.php', ['Disallow: /*.php$'], false],
    ['/?q=1', ['Disallow: /*?'], false],
    ['/m%C3%B6we', ['Disallow: /möwe'], false],
    ['/a', ['Disallow: /a # not this'], false],
    ['/a', ['disallow : /a'], false],
    ['/robots.txt', ['Disallow: /'], true],
  ] as const)('for %s under %j: allowed is %j (RFC 9309, §2.2)', (path, lines, allowed) => {
    expect(allows(path, 'User-agent: *', ...lines)).toBe(allowed);
  });

  it('reads lines however they end, and passes over what is no record', () => {
    const text = '\uFEFFnonsense\rUser-agent: *\r\n<html>\nDisallow: /a\r: /b\n\0';
    expect(readRobots(ORIGIN, text.slice(1), 'shingled').allows(new URL('/a', ORIGIN))).toBe(false);
  });

  it.each([
    ['2.5', 2500],
    ['0', 0],
    ['-1', 0],
    ['soon', 0],
    ['1e999', Number.POSITIVE_INFINITY],
  ])('with Crawl-delay %s ask for %d ms', (delay, ms) => {
    expect(rules('User-agent: *', `Crawl-delay: ${delay}`).crawlDelayMs).toBe(ms);
  });

  it('cost no more memory than their text, however many agents a group names', () => {
    const agents = Array.from({ length: 15_000 }, (_, at) => `User-agent: a${at}`);
    const ours = Array.from({ length: 5_000 }, () => 'User-agent: shingled');
    const patterns = Array.from({ length: 15_000 }, (_, at) => `Disallow: /${at}`);
    const before = process.memoryUsage().heapUsed;
    const read = rules(...agents, ...ours, ...patterns);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
    expect(read.allows(new URL('/14999', ORIGIN))).toBe(false);
    expect(read.bytes).toBeGreaterThan(1_000_000);
  });

  it('that would take too long to match allow nothing', () => {
    const path = `/${'a'.repeat(8000)}`;
    const cheap = ['User-agent: *', `Disallow: /${'*a'.repeat(100)}b`];
    expect(allows(path, ...cheap)).toBe(true);
    expect(allows(path, 'User-agent: *', `Disallow: /${'*a'.repeat(200_000)}b`)).toBe(false);
    expect(allows(path, 'User-agent: *', ...Array.from({ length: 50_000 }, () => 'Disallow: /b'))).toBe(false);
    expect(allows('/a', 'User-agent: *', ...Array.from({ length: 50_000 }, () => 'Disallow: /b'))).toBe(true);
  });
});
