import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import {
  type Asked,
  consequenceOf,
  isDocumentLost,
  reasonText,
  remedyOf,
} from '../../../src/cli/ingest/consequences.ts';
import { ERRORS } from '../../../src/errors.ts';
import type { BulkLineAnswer } from '../../../src/service/api.ts';
import { bulkLineSources } from '../../support/cli/bulk-line-sources.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const asked = (more: Partial<Asked> = {}): Asked => ({
  op: 'put',
  url: 'https://a.example/x',
  isNamed: false,
  ...more,
});
const MEDIA = ['logo.png', 'a/site.css?v=3', 'app.js', 'f.woff2', 'x.JPG'].map((name) => `https://a.example/${name}`);

describe('what follows from a reason', () => {
  it.each([
    ['empty-document', 'refused'],
    ['no-url', 'refused'],
    ['malformed', 'refused'],
    ['fetch-status', 'refused'],
    ['a-code-of-a-newer-service', 'refused'],
    ['no-document', 'passed over'],
    ['unusable-type', 'passed over'],
    ['robots-disallowed', 'passed over'],
    ['storage-full', 'end'],
    ['unauthorized', 'end'],
  ])('%s: %s', (code, consequence) => {
    expect(consequenceOf(code, asked())).toBe(consequence);
  });

  it('of a URL that is gone, or to be deleted, and not known: there is nothing to be done', () => {
    for (const op of ['gone', 'delete'] as const) {
      expect(consequenceOf('unknown-url', asked({ op }))).toBe('passed over');
      expect(consequenceOf('invalid-url', asked({ op }))).toBe('refused');
    }
  });

  it('of a revisit of what is not known: a page is missed, a picture is not', () => {
    for (const code of ['unknown-url', 'unknown-version']) {
      expect(consequenceOf(code, asked({ op: 'same' }))).toBe('refused');
      for (const url of MEDIA) expect(consequenceOf(code, asked({ op: 'same', url }))).toBe('passed over');
    }
    expect(consequenceOf('unknown-url', asked({ op: 'same', url: 'https://a.example/about-png' }))).toBe('refused');
  });

  it('of a page that the command line names: whoever asks for one wants to know', () => {
    expect(consequenceOf('robots-disallowed', asked({ op: null, isNamed: true }))).toBe('refused');
  });

  it('of a corpus: a document is lost, or there was none', () => {
    expect(['no-document', 'unusable-type'].some(isDocumentLost)).toBe(false);
    expect(['empty-document', 'malformed', 'no-text'].every(isDocumentLost)).toBe(true);
  });

  it('is told in words, whatever the code', () => {
    for (const code of [...Object.keys(ERRORS), 'no-document', 'new-code']) {
      for (const consequence of ['refused', 'passed over'] as const) {
        expect(reasonText(code, consequence)).toMatch(/^(?:[a-z]|API|HTTP|URL|CSS|UTF|JSON).{9,}[^.]$/);
      }
    }
    expect(remedyOf('no-url')).toContain('--url-field');
    expect(remedyOf('internal')).toBeNull();
  });
});

const DETAIL = 'The URL is not in the index.';

/** A load into an index that knows no URL. */
async function ingest(operations: readonly object[], ...args: string[]) {
  const input = join(temporaryFolder(), 'lines');
  writeFileSync(input, operations.map((operation) => `${JSON.stringify(operation)}\n`).join(''));
  const index = indexWith({
    async *bulk(lines): AsyncGenerator<BulkLineAnswer> {
      for await (const { line, operation } of lines) {
        yield { line, status: 404, url: operation.url, code: 'unknown-url', detail: DETAIL };
      }
    },
    durable: async () => {},
  });
  const commands = { open: async () => index, sources: async () => bulkLineSources() };
  return runWith(['ingest', input, '--json', ...args], commands as never);
}

describe('a load', () => {
  it('ends well where all that is unknown was gone anyway, or a picture, and names it', async () => {
    const errors = join(temporaryFolder(), 'errors');
    const [url, picture] = ['https://a.example/2', 'https://a.example/3.png'];
    const gone = { op: 'gone', url };
    const { code, out } = await ingest(
      [gone, { op: 'same', url: picture, as: picture, asAt: null }],
      '--errors',
      errors,
    );
    expect(code).toBe(EXIT_CODES.done);
    expect(JSON.parse(out)).toMatchObject({
      ...{ refused: {}, passedOver: { 'unknown-url': 2 } },
      examples: { refused: {}, passedOver: { 'unknown-url': { at: 'line 1', url, detail: DETAIL } } },
    });
    expect(readFileSync(errors, 'utf8').match(/"reason":"unknown-url".*"passedOver":true/g)).toHaveLength(2);
  });

  it('has refused something where a page comes again that is not there', async () => {
    const url = 'https://a.example/3';
    expect((await ingest([{ op: 'same', url, as: url, asAt: null }])).code).toBe(EXIT_CODES.refused);
  });
});
