import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalTokens } from '../../support/core/canonical-text.ts';
import { SCRIPTS, VARIANTS, variantsTable } from '../../support/core/letter-variants.ts';

describe('a text in another spelling of the same letters', () => {
  it.each(
    Object.entries(VARIANTS).flatMap(([name, { of, write }]) =>
      of.map((script) => [name, script, write(SCRIPTS[script]!)] as const),
    ),
  )('%s, %s: has the tokens of the plain one', (_, script, written) => {
    expect(written).not.toBe(SCRIPTS[script]!);
    expect(canonicalTokens(Buffer.from(written))).toEqual(canonicalTokens(Buffer.from(SCRIPTS[script]!)));
  });

  it('stands in the table of docs/normalisation.md as it is measured', () => {
    expect(readFileSync('docs/normalisation.md', 'utf8')).toContain(variantsTable());
  });
});
