import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf, sharedPageOf } from '../../../src/core/moved/shared-page.ts';
import {
  type MoveEvidence,
  type RivalPage,
  rivalsOf,
  SURENESSES,
  surenessOf,
} from '../../../src/core/moved/sureness.ts';

const NO_RIVALS = { ofAnyName: false, thatCount: false };
/** Of a page elsewhere, with other words, that was there before. */
const NOTHING: MoveEvidence = {
  ...{ isRedirect: false, isEqual: false, resemblanceLow: 0, isLike: false, isShort: false, isAfter: false },
  ...{ isSameHost: false, isSameName: false, rivals: NO_RIVALS, isSuspect: false },
};
const MOVED = { isAfter: true };
const EQUAL = { isEqual: true, resemblanceLow: 1, isLike: true };
const HALF = { resemblanceLow: 0.5, isLike: true };
const FIFTH = { resemblanceLow: 0.2 };
const HERE = { isSameHost: true };
const NAMED = { isSameName: true };
const RIVALS = { rivals: { ofAnyName: true, thatCount: true } };
const OTHER_NAMES = { rivals: { ofAnyName: true, thatCount: false } };

describe('how sure it is that a document has moved', () => {
  it.each([
    [{}, null],
    [{ ...EQUAL, ...MOVED, ...HERE, isSuspect: true }, 'possible'],
    [{ ...FIFTH, ...MOVED, ...HERE, ...NAMED, isSuspect: true }, null],
    [{ ...EQUAL, isRedirect: true }, 'certain'],
    [{ ...HALF, isRedirect: true, ...RIVALS }, 'certain'],
    [{ ...FIFTH, isRedirect: true }, 'likely'],
    [{ ...FIFTH, isRedirect: true, ...OTHER_NAMES }, 'possible'],
    [{ isRedirect: true, isSuspect: true }, 'possible'],
    [{ ...EQUAL, ...MOVED, isShort: true, ...HERE }, 'possible'],
    [{ ...EQUAL, ...MOVED, isShort: true, ...NAMED }, 'likely'],
    [{ ...EQUAL, isShort: true, ...NAMED }, 'possible'],
    [{ ...EQUAL, ...MOVED, ...HERE }, 'certain'],
    [{ ...EQUAL, ...MOVED, ...NAMED }, 'certain'],
    [{ ...EQUAL, ...MOVED }, 'likely'],
    [{ ...EQUAL, ...HERE }, 'likely'],
    [{ ...EQUAL, ...NAMED }, 'possible'],
    [{ ...HALF, ...MOVED }, 'likely'],
    [{ ...HALF, ...MOVED, ...RIVALS }, 'possible'],
    [{ ...HALF, ...MOVED, ...OTHER_NAMES }, 'likely'],
    [{ ...HALF, ...HERE, ...NAMED }, 'possible'],
    [{ resemblanceLow: 0.49, isLike: true, ...MOVED, ...HERE }, 'possible'],
    [{ ...FIFTH, ...MOVED, ...HERE, ...NAMED }, 'likely'],
    [{ ...FIFTH, ...MOVED, ...HERE, ...NAMED, ...OTHER_NAMES }, null],
    [{ ...FIFTH, ...MOVED, ...HERE }, null],
    [{ ...FIFTH, ...MOVED, ...NAMED }, null],
    [{ ...FIFTH, ...HERE, ...NAMED }, null],
    [{ resemblanceLow: 0.1, isLike: true, ...MOVED, ...HERE }, 'possible'],
  ] as const)('%j: %s', (evidence, sure) => {
    expect(surenessOf({ ...NOTHING, ...evidence })).toBe(sure);
  });

  it('never falls with what speaks for it, nor rises with what speaks against it', () => {
    const flag = fc.boolean();
    const evidence = fc
      .record({
        ...{ isRedirect: flag, isEqual: flag, resemblanceLow: fc.double({ min: 0, max: 1, noNaN: true }) },
        ...{ isShort: flag, isAfter: flag, isSameHost: flag, isSuspect: flag, isLike: flag },
        rivals: fc.constantFrom(NO_RIVALS, RIVALS.rivals, OTHER_NAMES.rivals),
      })
      .map((made) => ({ ...made, isSameName: false }));
    const rank = (made: MoveEvidence) => {
      const sure = surenessOf(made);
      return sure === null ? 0 : SURENESSES.length - SURENESSES.indexOf(sure);
    };
    const [EVERY_FOR, EVERY_AGAINST] = [
      [{ isSameHost: true }, { isAfter: true }, { isSameName: true }],
      [{ isSuspect: true }, RIVALS],
    ];
    fc.assert(
      fc.property(evidence, (made) => {
        for (const better of EVERY_FOR) expect(rank({ ...made, ...better })).toBeGreaterThanOrEqual(rank(made));
        for (const worse of EVERY_AGAINST) expect(rank({ ...made, ...worse })).toBeLessThanOrEqual(rank(made));
      }),
    );
  });
});

describe('a rival', () => {
  const page: RivalPage = { content: 'd', resemblance: 0.6, host: 'a', isSameHost: true, isSameName: false };
  it.each([
    ['is another content that resembles as much', { content: 'e' }, true, true],
    ['is no page with the same words', {}, false, false],
    ['is none that resembles less by a tenth', { content: 'e', resemblance: 0.5 }, false, false],
    [
      'is none on another host where the page is on the old one',
      { content: 'e', host: 'b', isSameHost: false },
      false,
      false,
    ],
  ] as const)('%s', (_, other, ofAnyName, thatCount) => {
    expect(rivalsOf(page, [page, { ...page, ...other }])).toEqual({ ofAnyName, thatCount });
  });

  it('of a page with the name of the old one has it too', () => {
    const named = { ...page, isSameName: true };
    const other = { ...page, content: 'e' };
    expect(rivalsOf(named, [named, other])).toEqual({ ofAnyName: true, thatCount: false });
    expect(rivalsOf(named, [named, { ...other, isSameName: true }])).toEqual({ ofAnyName: true, thatCount: true });
  });

  it('may be anywhere where the page is elsewhere', () => {
    const away = { ...page, host: 'b', isSameHost: false };
    expect(rivalsOf(away, [away, { ...away, content: 'e', host: 'c' }]).thatCount).toBe(true);
  });
});

describe('a page in the place of others', () => {
  const from = (documents: number, hosts: number) =>
    Array.from({ length: documents }, (_, i) => ({ host: `h${i % hosts}`, before: `d${i}` }));

  it('is a notice where it took the place of twenty, and parked where they were of many hosts', () => {
    expect(refusalOf(sharedPageOf(from(19, 1)))).toBeNull();
    expect(refusalOf(sharedPageOf(from(20, 1)))).toBe('soft-404');
    expect(refusalOf(sharedPageOf(from(20, 9)))).toBe('soft-404');
    expect(refusalOf(sharedPageOf(from(20, 10)))).toBe('parked');
  });

  it('counts one document once, however many showed it, and each of which nothing is known', () => {
    const mirrors = from(40, 40).map(({ host }) => ({ host, before: 'd' }));
    expect(sharedPageOf(mirrors)).toEqual({ count: 1, hosts: 40 });
    expect(sharedPageOf(mirrors.map(({ host }) => ({ host, before: null }))).count).toBe(40);
  });
});
