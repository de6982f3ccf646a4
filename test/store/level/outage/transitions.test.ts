import { describe, expect, it } from 'vitest';
import { EVENTS, nextState, STATES } from '../../../../src/store/level/outage/outage.ts';
import { readText } from '../../../support/tree/tree.ts';

/** The table of docs/store.md: `| state | what each event makes of it …`, in the order of its head. */
function documented(): Map<string, Map<string, string>> {
  const [head, , ...rows] = /\| state \|[\s\S]*?\n\n/.exec(readText('docs/store.md'))![0].trim().split('\n');
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  const events = cells(head!).slice(1);
  return new Map(
    rows.map((row) => {
      const [state, ...next] = cells(row);
      return [state!, new Map(events.map((event, i) => [event, next[i]!]))];
    }),
  );
}

describe('the states of writing', () => {
  it('change as docs/store.md says, at every event in every state', () => {
    const table = documented();
    expect([...table.keys()]).toEqual([...STATES]);
    for (const state of STATES) {
      expect([...table.get(state)!.keys()]).toEqual([...EVENTS]);
      for (const event of EVENTS) {
        const said = table.get(state)!.get(event);
        expect([state, event, nextState(state, event)]).toEqual([state, event, said === '' ? state : said]);
      }
    }
  });

  it('lead back to writing from everywhere but closed, and from a refused write only over recovering', () => {
    const reachable = (from: (typeof STATES)[number], without?: string) => {
      const found = new Set([from]);
      for (const state of found) for (const event of EVENTS) if (event !== without) found.add(nextState(state, event));
      return found;
    };
    for (const state of STATES) expect([state, reachable(state).has('writing')]).toEqual([state, state !== 'closed']);
    expect(reachable('refused', 'recovered').has('writing')).toBe(false);
    for (const state of STATES) {
      expect(nextState(state, 'failed')).toBe(state === 'closed' ? 'closed' : 'refused');
      expect(nextState(state, 'close')).toBe('closed');
    }
  });
});
