import { describe, expect, it } from 'vitest';
import {
  type Asked,
  consequenceOf,
  isDocumentLost,
  reasonText,
  remedyOf,
} from '../../../src/cli/ingest/consequences.ts';
import { ERRORS } from '../../../src/errors.ts';

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
