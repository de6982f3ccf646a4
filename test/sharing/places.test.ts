import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { type Deadline, withDeadline } from '../../src/sharing/deadline.ts';
import { type Place, Places, type PlacesOptions } from '../../src/sharing/places.ts';

class Full extends Error {}
const ENOUGH = new ShingledError('deadline-exceeded', 'enough');
const unless = <T>({ signal }: AbortController, wait: (until: Deadline) => Promise<T>) =>
  withDeadline(Number.POSITIVE_INFINITY, signal, wait);

const placesOf = (options: Partial<PlacesOptions>) =>
  new Places({ size: 8, waitingMax: 4, refusal: () => new Full(), ...options });

/** Has callers wait for places, and notes who got one. */
class Crowd {
  readonly places: Places;
  readonly held: Place[] = [];
  readonly refused: string[] = [];

  constructor(options: Partial<PlacesOptions>) {
    this.places = placesOf(options);
  }

  async come(callers: string, mayBorrow = false): Promise<void> {
    for (const caller of callers) {
      this.places.enter(caller, { mayBorrow }).then(
        (place) => this.held.push(place),
        () => this.refused.push(caller),
      );
    }
    await settled();
  }

  async go(caller: string): Promise<void> {
    const at = this.held.findIndex((place) => place.caller === caller);
    this.places.leave(...(this.held.splice(at, 1) as [Place]));
    await settled();
  }

  get now(): string {
    return this.held.map(({ caller, isLent }) => (isLent ? caller.toUpperCase() : caller)).join('');
  }
}

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await undefined;
}

describe('places', () => {
  it('are held up to half by one caller, who then waits in a line of his own', async () => {
    const crowd = new Crowd({});
    await crowd.come('aaaaaaaaaa');
    expect(crowd.now).toBe('aaaa');
    expect(crowd.refused.join('')).toBe('aa');
    await crowd.come('b');
    expect(crowd.now).toBe('aaaab');
    expect([crowd.places.taken, crowd.places.waiting]).toEqual([5, 4]);
  });

  it('go to whoever has least in hand, and among equals in turns', async () => {
    const crowd = new Crowd({ size: 3, waitingMax: 9 });
    await crowd.come('abc');
    await crowd.come('aabbcd');
    const after: string[] = [];
    for (const caller of 'aabcd') {
      await crowd.go(caller);
      after.push(crowd.now);
    }
    // a, since he has none again and it is his turn; then d, who had none yet; b; c; then a before b, whose turn is over
    expect(after).toEqual(['bca', 'bcd', 'cdb', 'dbc', 'bca']);
    expect(crowd.places.waiting).toBe(1);
  });

  it('give the first place that falls free to who holds none', async () => {
    const crowd = new Crowd({ size: 2, waitingMax: 9 });
    await crowd.come('ab');
    await crowd.come('aaac');
    await crowd.go('a');
    expect(crowd.now).toBe('ba');
    await crowd.go('b');
    expect(crowd.now).toBe('ac');
  });

  it('are lent to one caller as long as nobody else waits', async () => {
    const crowd = new Crowd({ size: 4, waitingMax: 9 });
    await crowd.come('aaaaaa', true);
    expect(crowd.now).toBe('aaAA');
    await crowd.come('b');
    await crowd.go('a');
    expect(crowd.now).toBe('aAAb');
    await crowd.go('a');
    expect(crowd.now).toBe('AAba');
  });

  it('are not lent where that would not do', async () => {
    const crowd = new Crowd({ size: 4, waitingMax: 9 });
    await crowd.come('aaaa');
    expect(crowd.now).toBe('aa');
  });

  it('are run in, and left whatever the work comes to', async () => {
    const places = placesOf({});
    await expect(places.run('a', {}, async ({ caller }) => `work of ${caller}`)).resolves.toBe('work of a');
    await expect(places.run('a', {}, () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(places.taken).toBe(0);
  });

  it('are not waited for by those who give up, by their own reason', async () => {
    const places = placesOf({ size: 1 });
    const held = await places.enter('a');
    const controller = new AbortController();
    const waiting = unless(controller, (until) => places.enter('b', { until }));
    const behind = places.enter('b');
    controller.abort(ENOUGH);
    await expect(waiting).rejects.toThrow('enough');
    await expect(unless(controller, (until) => places.enter('b', { until }))).rejects.toThrow('enough');
    places.leave(held);
    await expect(behind).resolves.toEqual({ caller: 'b', cost: 1, isLent: false });
    expect(places.waiting).toBe(0);
  });

  it('let in whoever has room where the first of a line gives up who had none', async () => {
    const places = placesOf({ size: 2 });
    await places.enter('a');
    const controller = new AbortController();
    const own = unless(controller, (until) => places.enter('a', { until }));
    const lent = places.enter('a', { mayBorrow: true });
    controller.abort(ENOUGH);
    await expect(own).rejects.toThrow('enough');
    await expect(lent).resolves.toEqual({ caller: 'a', cost: 1, isLent: true });
  });

  it('bound each line by itself, but for those who are patient', async () => {
    const places = placesOf({ size: 1, waitingMax: 1 });
    await places.enter('a');
    void places.enter('a');
    await expect(places.enter('a')).rejects.toThrow(Full);
    void places.enter('a', { patient: true });
    void places.enter('b');
    await settled();
    expect(places.waiting).toBe(3);
  });

  it('may be several for one piece of work, up to half of all', async () => {
    const places = placesOf({ size: 10 });
    const five = await places.enter('a', { cost: 7 });
    expect([five.cost, places.taken]).toEqual([5, 5]);
    expect(places.enterNow('a')).toBe(null);
    const others = [places.enterNow('b', { cost: 2 }), places.enterNow('c', { cost: 3 })];
    expect(others.map((place) => place?.cost)).toEqual([2, 3]);
    expect(places.enterNow('d')).toBe(null);
  });

  it('let a caller of less pass one who waits for his own to end, and nobody one who waits for others', async () => {
    const places = placesOf({ size: 10 });
    const held = [await places.enter('a', { cost: 3 }), await places.enter('b', { cost: 2 })];
    const order: string[] = [];
    const wait = (caller: string, cost: number) =>
      places.enter(caller, { cost }).then((place) => {
        order.push(caller);
        held.push(place);
      });
    void wait('a', 4);
    void wait('b', 1);
    await settled();
    // a may not have seven of ten; b may
    expect(order).toEqual(['b']);
    void wait('c', 5);
    void wait('b', 1);
    await settled();
    // c waits for others to leave, and comes first
    expect(order).toEqual(['b']);
    places.leave(held[1]!);
    await settled();
    expect(order).toEqual(['b', 'c']);
  });

  it('grow one by one, as far as there are any, and are left together', async () => {
    const places = placesOf({ size: 8 });
    let place = await places.enter('a');
    for (let grown = places.grow(place); grown !== null; grown = places.grow(place)) place = grown;
    expect([place.cost, places.taken]).toEqual([4, 4]);
    places.leave(place);
    expect(places.taken).toBe(0);
  });

  it('keep their number, starve nobody and leave nothing idle that somebody may have', async () => {
    const caller = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ come: caller, mayBorrow: fc.boolean(), cost: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ leave: fc.nat() }),
      fc.record({ giveUp: fc.nat() }),
    );
    const setting = fc.record({ size: fc.integer({ min: 1, max: 9 }), lends: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(setting, fc.array(step, { maxLength: 120 }), async ({ size, lends }, steps) => {
        const places = placesOf({ size, waitingMax: 6 });
        const held: Place[] = [];
        const waiting = new Map<AbortController, { name: string; cost: number }>();
        for (const step of steps) {
          if ('come' in step) {
            const controller = new AbortController();
            const cost = Math.min(step.cost, Math.max(1, Math.floor(size / 2)));
            waiting.set(controller, { name: step.come, cost });
            unless(controller, (until) =>
              places.enter(step.come, { ...step, mayBorrow: lends && step.mayBorrow, until }),
            ).then(
              (place) => {
                waiting.delete(controller);
                held.push(place);
              },
              () => waiting.delete(controller),
            );
          } else if ('leave' in step) {
            const [place] = held.splice(step.leave % Math.max(1, held.length), 1);
            if (place !== undefined) places.leave(place);
          } else [...waiting.keys()][step.giveUp % Math.max(1, waiting.size)]?.abort(new Error('gone'));
          await settled();
          const taken = held.reduce((sum, { cost }) => sum + cost, 0);
          expect(places.taken).toBe(taken);
          expect(places.waiting).toBe(waiting.size);
          expect(taken).toBeLessThanOrEqual(size);
          const own = (caller: string) => held.filter((place) => place.caller === caller && !place.isLent).length;
          const all = [...waiting.values()];
          const heads = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
          for (const { name, cost } of heads) {
            // whoever holds nothing waits only where too little is free, for him or for one who comes before
            if (own(name) === 0)
              expect(
                heads.some((other) => other.cost > size - taken),
                `${name} ${cost}`,
              ).toBe(true);
            expect(all.filter((other) => other.name === name).length).toBeLessThanOrEqual(6);
          }
          if (!lends) expect(held.every(({ isLent }) => !isLent)).toBe(true);
        }
        // all are served in the end, however many wait for whom
        for (let left = held.length + waiting.size; left > 0; left--) {
          expect(held.length).toBeGreaterThan(0);
          places.leave(held.shift()!);
          await settled();
        }
        expect([places.taken, places.waiting]).toEqual([0, 0]);
      }),
      { numRuns: 200 },
    );
  });
});
