import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/errors.ts';
import {
  chanceWords,
  faultWords,
  limitSentence,
  recallSentence,
  SHARES,
  stateWords,
} from '../../../src/page/words/sentences.ts';
import { openApi } from '../../support/http/openapi.ts';

describe('what may have been missed', () => {
  it('is said for each threshold that was looked for', () => {
    expect(recallSentence({ resemblance: 0.999989, queryInMatch: 0.953635, matchInQuery: null })).toBe(
      'A document just at the threshold was looked at: as good as certainly by “alike”, in 95 of 100 cases or more by “yours in theirs”.',
    );
    expect(recallSentence({ resemblance: null, queryInMatch: null, matchInQuery: null })).toBe(null);
  });

  it('is said apart for short matches, which have less to be met by', () => {
    const sizes = [
      { shinglesLeast: 1, recall: 0.125 },
      { shinglesLeast: 20, recall: 0.736924 },
    ];
    const recall = { resemblance: null, queryInMatch: null, matchInQuery: 0.125, matchInQueryBySize: sizes };
    expect(recallSentence(recall)).toBe(
      'A document just at the threshold was looked at: in 73 of 100 cases or more by “theirs in yours” if it has 20 shingles or more, in 12 of 100 cases or more if it is shorter.',
    );
  });

  it('comes with what brings the rest, where that is known', () => {
    const limit = { code: 'candidates', affected: 1246, of: 1502 };
    const said = 'Not read, though they may share enough: 1,246 documents. A higher threshold leaves fewer.';
    expect(limitSentence(limit)).toBe(said);
    expect(limitSentence({ ...limit, raise: { setting: 'CANDIDATES_MAX', to: 1502 }, thoroughReads: 1502 })).toBe(
      `${said} To get the rest: “every copy to the last” reads 1,502 documents; the service leaves none out with CANDIDATES_MAX=1502.`,
    );
  });

  it('never promises more than is known', () => {
    expect([1, 0.9995, 0.9994, 0.995, 0.9949, 0.5, 0.009, 0].map(chanceWords)).toEqual([
      ...[
        'as good as certainly',
        'as good as certainly',
        'in 999 of 1,000 cases or more',
        'in 995 of 1,000 cases or more',
      ],
      ...['in 99 of 100 cases or more', 'in 50 of 100 cases or more', 'in fewer than 1 of 100 cases'],
      'nobody can say how likely',
    ]);
  });
});

describe('what the API says by a code', () => {
  const limits = (openApi.components.schemas['LimitReached'] as unknown as { properties: { code: { enum: string[] } } })
    .properties;

  it('has a sentence for each limit', () => {
    expect(limits.code.enum.length).toBeGreaterThan(8);
    for (const code of limits.code.enum) {
      const said = limitSentence({ code, affected: 2, of: 30 });
      expect(said).toMatch(/^[A-Z0-9].*\.$/);
      expect(said).not.toContain('A limit was met');
    }
    expect(limitSentence({ code: 'unheard-of', affected: 1, of: 2 })).toBe('A limit was met: unheard-of (1 of 2).');
  });

  it('has a heading for each error', () => {
    for (const code of Object.keys(ERRORS)) expect(faultWords(code, 'Its title')).toMatch(/^[A-Z].*\.$/);
    expect(faultWords('unauthorized', 'x')).toBe('This service wants a key.');
  });

  it('says nothing of what is live', () => {
    expect(['live', 'gone', 'past', 'other'].map(stateWords)).toEqual([null, 'gone', 'shows something else now', null]);
    expect(SHARES.queryInMatch.threshold(0.8)).toBe('at least 80 % of this text is in the match');
  });
});
