import { afterEach, beforeEach, describe } from 'vitest';
import { describeCandidates } from './contract/candidates.ts';
import { createFixture, type OpenStore } from './contract/fixture.ts';
import { describeHistory } from './contract/history.ts';
import { describeMany } from './contract/many.ts';
import { describeSightings } from './contract/sightings.ts';
import { describeSources } from './contract/sources.ts';

/** What every store owes to the service. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    const fixture = createFixture(open);
    beforeEach(() => fixture.start());
    afterEach(() => fixture.end());

    describeSources(fixture);
    describeSightings(fixture);
    describeMany(fixture);
    describeHistory(fixture);
    describeCandidates(fixture);
  });
}
