import { describe, expect, it } from 'vitest';
import { rest } from '../../../src/sharing/waiting.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { startCollapse } from '../../support/service/collapse-fixture.ts';

const make = createTextMaker(93);

describe('a process that reads what is not read here', () => {
  const html = `<nav>no</nav><p>${make.text(60)}</p>`;

  it.each([
    ['a choice of elements', { html, remove: 'nav' }, 'never', true],
    ['a file', { html: '%PDF-1.7 and its pages' }, 'never', true],
    ['a choice of elements of a page to be fetched', { url: 'https://a.example/', select: 'p' }, 'auto', true],
    ['the same, not to be fetched', { url: 'https://a.example/', select: 'p' }, 'never', false],
    ['a page', { html }, 'auto', false],
  ] as const)('has begun before the time of an answer does, if there is %s', async (_what, result, fetch, isBegun) => {
    const order: string[] = [];
    const { fixture, ask } = startCollapse({
      wrapDocuments: (documents) => ({
        ...documents,
        begunApart: async () => {
          await rest(1, { ref: true });
          order.push('begun');
        },
        process: (input, asking) => {
          order.push('asked');
          return documents.process({ ...input, bytes: Buffer.from(html), select: null, remove: null }, asking);
        },
      }),
    });
    fixture.web.pages.set('https://a.example/', html);
    await ask([result, { text: make.text(40) }], { fetch });
    expect(order[0]).toBe(isBegun ? 'begun' : 'asked');
    expect(order.filter((step) => step === 'begun')).toHaveLength(isBegun ? 1 : 0);
  });
});
