/*
 * Functions of a program as sets of features, one line of POST /documents for each:
 *
 *     node examples/code-features.ts urn:code: < program.js | curl localhost:8080/documents --data-binary @- …
 *
 * A feature is four tokens in a row, in which every name is `n`, every number `0` and every string `s`. So a function is the same
 * whatever its names are. Functions are parted by empty lines, and called by what stands behind `function`.
 */

import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const KEYWORDS = new Set(
  'async await break case const continue do else for function if in let new of return switch throw while'.split(' '),
);
const TOKEN =
  /(?<string>'[^']*'|"[^"]*"|`[^`]*`)|(?<number>\d[\w.]*)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|[=!<>&|+*?-]+|\S/gu;
const TOKENS_A_FEATURE = 4;

/** The features of a function. */
export function featuresOfCode(code: string): string[] {
  const tokens = [...code.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').matchAll(TOKEN)].map(({ 0: token, groups }) => {
    if (groups?.['string'] !== undefined) return 's';
    if (groups?.['number'] !== undefined) return '0';
    return groups?.['name'] === undefined || KEYWORDS.has(token) ? token : 'n';
  });
  const windows = tokens.map((_, at) => tokens.slice(at, at + TOKENS_A_FEATURE));
  return windows.filter(({ length }) => length === TOKENS_A_FEATURE).map((window) => window.join(' '));
}

/** The functions of a program by their names. */
export function functionsOf(program: string): Map<string, string> {
  const parts = program.split(/\n\s*\n/).map((code) => [/function (\w+)/.exec(code)?.[1], code] as const);
  return new Map(parts.flatMap(([name, code]) => (name === undefined ? [] : [[name, code]])));
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [, , prefix = 'urn:code:'] = process.argv;
  for (const [name, code] of functionsOf(await text(process.stdin))) {
    console.log(JSON.stringify({ op: 'put', url: `${prefix}${name}`, features: featuresOfCode(code) }));
  }
}
