import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearName } from '../../src/plain-words/near-name.ts';

const NAMES = ['ingest', 'similar', 'compare', 'url-field', 'url-prefix', 'dry-run', 'json', 'Page.html'];

describe('a name that was probably meant', () => {
  it.each([
    ['inget', 'ingest'],
    ['INGEST', 'ingest'],
    ['simlar', 'similar'],
    ['ulr-field', 'url-field'],
    ['jsno', 'json'],
    ['page.htm', 'Page.html'],
    // the beginning of one alone
    ['dry', 'dry-run'],
    ['compar', 'compare'],
  ])('%j is %j', (word, name) => {
    expect(nearName(word, NAMES)).toBe(name);
  });

  it.each(['', 'x', 'elephant', 'url', 'html'])('%j is none', (word) => {
    expect(nearName(word, ['url-field', 'url-prefix', 'json'])).toBeNull();
  });

  it('is found with any one letter wrong, missing or too many', () => {
    const place = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(place, fc.constantFrom('', 'xx', 'x'), (at, put) => {
        const word = `${'ingest'.slice(0, at)}${put}${'ingest'.slice(at + 1)}`;
        expect(nearName(word, ['ingest', 'similar', 'backup'])).toBe('ingest');
      }),
    );
  });

  it('is asked for as it is written there', () => {
    expect(didYouMean('jsno', NAMES, (name) => `--${name}`)).toBe(' Did you mean --json?');
    expect(didYouMean('elephant', NAMES)).toBe('');
  });
});
