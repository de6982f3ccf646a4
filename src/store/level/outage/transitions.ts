/*
 * Whether the index is written, and how writing comes back after the disk has refused.
 *
 *               ┌────── room ──────┐
 *               ▼                  │
 *   ┌──────► writing ── short ──► full
 *   │           │                  │
 *   │         failed             failed
 *   │           ▼                  │
 *   │        refused ◄─────────────┘
 *   │         │    ▲
 *   │       tried  failed, unrecovered
 *   │         ▼    │
 *   └─recovered─ recovering                    closed: from anywhere, for good
 *
 *   state        plans          rows of the posting index    reads                 what goes on
 *   writing      acknowledged   written                      answered              nothing
 *   full         refused        wait                         answered              a look at the free space, again and again
 *   refused      refused        wait                         answered              a probe of the disk, again and again
 *   recovering   refused        wait                         wait, a second or so  everything is opened anew (recovery.ts)
 *   closed       refused        none                         refused               nothing
 *
 * After a failed write nobody knows what the log of LevelDB holds, whichever write it was and whatever the error.
 * LevelDB goes on behind a torn record, and the next opening loses what it took after it. So every failed write leads
 * to one state. It is left only when all that is in memory was made again from what is on disk:
 *
 *   kind         what failed                               nobody is told of it but       the disk may hold
 *   documents    a batch of plans                          its plans                      all of it, or nothing
 *   rows         the list of segments, shingle counts      a step that is done again      the new list, or the old one
 *   segment      a batch of the worker, or its thread died a step that is done again      a part: in no list, cleared
 *   clearing     deletions of a segment that is gone       a step that is done again      a part: still to be cleared
 *   flush        bringing the log into synced tables       what waited to be durable      what was there before
 *   mark         the high-water mark, in a file of its own nobody                         an older number
 *   compaction   what makes LevelDB write all files anew   the compaction                 all that counts
 *   opening      exchanging the handle                     the compaction                 all that counts
 */

export const STATES = ['writing', 'full', 'refused', 'recovering', 'closed'] as const;
export type State = (typeof STATES)[number];

/**
 * - short: less than the reserve is free; nothing was written
 * - room: there is enough again
 * - failed: a write failed
 * - tried: the disk took a probe
 * - recovered, unrecovered: how opening everything anew ended
 */
export const EVENTS = ['short', 'room', 'failed', 'tried', 'recovered', 'unrecovered', 'close'] as const;
export type Event = (typeof EVENTS)[number];

export type WriteKind = 'documents' | 'rows' | 'segment' | 'clearing' | 'flush' | 'mark' | 'compaction' | 'opening';

/** What each event makes of each state; where nothing is said, it stays. */
const CHANGES: { readonly [S in State]: { readonly [E in Event]?: State } } = {
  writing: { short: 'full', failed: 'refused', close: 'closed' },
  full: { room: 'writing', failed: 'refused', close: 'closed' },
  refused: { tried: 'recovering', close: 'closed' },
  recovering: { recovered: 'writing', unrecovered: 'refused', failed: 'refused', close: 'closed' },
  closed: {},
};

export const nextState = (state: State, event: Event): State => CHANGES[state][event] ?? state;
