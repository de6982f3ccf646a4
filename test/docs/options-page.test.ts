import { describe, expect, it } from 'vitest';
import { CollapseAnswer } from '../../src/http/schemas/collapsed.schema.ts';
import { CompareAnswer } from '../../src/http/schemas/compare.schema.ts';
import { PUT_STATUSES } from '../../src/http/schemas/documents.schema.ts';
import { Equivalence, LimitReached } from '../../src/http/schemas/matches.schema.ts';
import { optionsPage } from '../support/docs/options-page.ts';
import { readText } from '../support/tree/tree.ts';

interface Schema {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The values of the field that a path of names leads to. */
function valuesAt(schema: unknown, ...names: readonly string[]): readonly string[] {
  let at = schema as Schema;
  for (const name of names) {
    const object = [at, ...(at.anyOf ?? []), at.items].find((one) => one?.properties?.[name] !== undefined);
    at = object!.properties![name]!;
  }
  return at.enum!;
}

/** The first column of the table of api.md whose head begins so. */
function firstColumn(head: string): string[] {
  const table = readText('docs/api.md').split(`\n| ${head} |`)[1]!.split('\n\n')[0]!;
  return [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap((row) =>
    row[1]!.replaceAll('`', '').split(', '),
  );
}

describe('docs/options.md', () => {
  it('has every option of every call', async () => {
    await expect(optionsPage()).toMatchFileSnapshot('../../docs/options.md');
  });
});

describe('docs/api.md', () => {
  it.each([
    ['`equivalence`', valuesAt(Equivalence)],
    ['`code` in `limits`', valuesAt(LimitReached, 'code')],
    ['`step` of `whyNot`', valuesAt(CompareAnswer, 'whyNot', 'step')],
    ['`reason` in `unknown`', valuesAt(CollapseAnswer, 'unknown', 'reason')],
    ['what became of a write', PUT_STATUSES],
  ])('has a row for every value of %s, and for no other', (head, values) => {
    expect(values.length).toBeGreaterThan(3);
    expect(firstColumn(head).toSorted()).toEqual([...values].toSorted());
  });
});
