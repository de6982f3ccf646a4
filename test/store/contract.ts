import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import { crossing } from '../support/store/crossing.ts';
import { describeCandidates } from './contract/candidates.ts';
import { describeChanges } from './contract/changes.ts';
import { describeEdition } from './contract/edition.ts';
import { createFixture, type OpenStore, type StoreFixture } from './contract/fixture.ts';
import { describeHistory } from './contract/history.ts';
import { describeHolderCounts } from './contract/holder-counts.ts';
import { describeHolders } from './contract/holders.ts';
import { describeHostContents } from './contract/hosts/host-contents.ts';
import { describeListing } from './contract/hosts/listing.ts';
import { describeMany } from './contract/many.ts';
import { describeNeighbours } from './contract/neighbours.ts';
import { describeSame } from './contract/same.ts';
import { describeSightings } from './contract/sightings.ts';
import { describeSources } from './contract/sources.ts';
import { describeUpkeep } from './contract/upkeep.ts';

type Part = (fixture: StoreFixture) => void;

const PARTS: readonly Part[] = [
  ...[describeSources, describeSightings, describeSame, describeMany, describeListing],
  ...[
    describeHistory,
    describeChanges,
    describeHolders,
    describeHolderCounts,
    describeHostContents,
    describeCandidates,
    describeEdition,
    describeNeighbours,
    describeUpkeep,
  ],
];

/**
 * What every store owes to the service, here and as if it were in another process.
 *
 * @param here parts that are asked of the store without clones, too. Clones hide one fault alone: an answer that the store
 * goes on to change. So of a slow store the parts suffice that get samples and many records
 */
export function describeStore(name: string, open: OpenStore, here = PARTS): void {
  describe(name, () => describeContract(open, here));

  describe(`${name}, through structured clones`, () => {
    const asked = new Set<string>();
    describeContract(async (settings) => {
      const { store, close } = await open(settings);
      return { store: crossing(store, asked), close };
    });

    it('was asked all that a store can be asked', () => {
      expect([...asked].sort()).toEqual(Object.keys(METHODS).sort());
    });
  });
}

type Method = { [Name in keyof Store]: Store[Name] extends (...of: never) => unknown ? Name : never }[keyof Store];

const METHODS: Readonly<Record<Method, true>> = {
  apply: true,
  candidates: true,
  neighbours: true,
  edition: true,
  content: true,
  contentHead: true,
  source: true,
  getMany: true,
  versions: true,
  holders: true,
  holderCounts: true,
  hostContents: true,
  sources: true,
  sourceUrls: true,
  sweep: true,
  newestContentAt: true,
  stats: true,
  sync: true,
  warm: true,
  compact: true,
  backup: true,
  backups: true,
  close: true,
};

function describeContract(open: OpenStore, parts = PARTS): void {
  const fixture = createFixture(open);
  beforeEach(() => fixture.start());
  afterEach(() => fixture.end());

  for (const describePart of parts) describePart(fixture);
}
