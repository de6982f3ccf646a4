import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import type { SimilarLine } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(60);

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

describe('a batch of queries', () => {
  it('is answered in order, each line by itself', async () => {
    const text = make.text(100);
    await fixture.put('urn:1', text);
    async function* lines(): AsyncGenerator<SimilarLine> {
      yield { line: 1, reference: ofText(text), options: OPTIONS };
      yield { line: 2, error: new ShingledError('invalid-request', 'bad', { field: 'lines[2]' }) };
      yield { line: 3, reference: ofText('!'), options: OPTIONS };
      yield { line: 4, reference: ofText(make.text(30)), options: { ...OPTIONS, limit: 0 } };
      for (let line = 5; line < 60; line++) yield { line, reference: ofText(text), options: OPTIONS };
    }
    const answers = await Array.fromAsync(fixture.service.similarBatch(lines(), ALL));
    expect(answers.slice(0, 4)).toMatchObject([
      { line: 1, status: 200, answer: { json: expect.stringContaining('"equivalence":"identical"') } },
      { line: 2, status: 400, code: 'invalid-request', field: 'lines[2]' },
      { line: 3, status: 422, code: 'empty-document' },
      { line: 4, status: 400, field: 'limit', limit: { name: 'limitMax', value: 1000 } },
    ]);
    expect(answers.map(({ line }) => line)).toEqual(Array.from({ length: 59 }, (_, at) => at + 1));
  });

  it('waits for room among the queries instead of being refused', async () => {
    const narrow = createServiceFixture({ limits: { requestsInFlightMax: 1, requestsWaitingMax: 0 } });
    async function* lines(): AsyncGenerator<SimilarLine> {
      for (let line = 0; line < 20; line++) yield { line, reference: ofText(make.text(30)), options: OPTIONS };
    }
    const answers = await Array.fromAsync(narrow.service.similarBatch(lines(), ALL));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await narrow.close();
  });
});
