import { expand } from 'brace-expansion';
import { ShingledError } from '../../../errors.ts';

/** No pattern that a person writes expands to more; one such as {1..99999} would be slow for each file. */
const PATTERNS_MAX = 1000;

/**
 * The patterns of .gitignore files that one with braces stands for, as in shells: `*.{html,htm}` for `*.html` and `*.htm`.
 * A backslash before a brace makes it a character like others.
 *
 * @param option that has the pattern, such as include
 * @throws ShingledError `invalid-request` if braces do not match, or stand for more than 1,000 patterns
 */
export function bracesExpanded(pattern: string, option: string): string[] {
  const braces = pattern.replace(/\\./gs, '').replace(/[^{}]/g, '');
  let depth = 0;
  for (const brace of braces) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) break;
  }
  if (depth !== 0) {
    const detail = `--${option} ${pattern} has a brace without its other one; write \\{ or \\} if it is part of a name.`;
    throw new ShingledError('invalid-request', detail, { field: option });
  }
  if (braces === '') return [pattern];
  const patterns = expand(pattern, { max: PATTERNS_MAX + 1 });
  if (patterns.length <= PATTERNS_MAX) return patterns;
  const detail = `--${option} ${pattern} stands for more than ${PATTERNS_MAX} patterns.`;
  throw new ShingledError('invalid-request', detail, { field: option });
}
