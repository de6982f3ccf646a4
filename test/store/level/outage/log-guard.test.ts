import { describe, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/store/level/database/database.ts';
import { openLevel } from '../../../../src/store/level/database/level-handle.ts';
import { type Beside, LogGuard } from '../../../../src/store/level/outage/log-guard.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const refusal = new Error('No space left on device');

/** A write of another thread, to be ended by hand. */
function pendingWrite(guard: LogGuard, kind: Beside = 'segment') {
  const write = Promise.withResolvers<void>();
  const announced = guard.announced(kind, () => write.promise);
  return { ...write, announced };
}

/** Whether the guard has said by now that the log is whole. */
async function saysNow(guard: LogGuard): Promise<boolean | undefined> {
  let said: boolean | undefined;
  void guard.isWhole().then((isWhole) => {
    said = isWhole;
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  return said;
}

describe('a batch beside which the worker writes', () => {
  it('is acknowledged when that has ended well, and not before', async () => {
    const database = await Database.open(temporaryFolder(), true);
    const other = pendingWrite(new LogGuard(database.log.shared));
    let acknowledged = false;
    const written = database.write('documents', [['a', Buffer.from('1')]]).then(() => {
      acknowledged = true;
    });
    while ((await database.get('a')) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(acknowledged).toBe(false);
    other.resolve();
    await Promise.all([written, other.announced]);
    await database.close();
  });

  it('is refused with it, as is all that follows until the database was opened anew: LevelDB is not given it', async () => {
    const onRefused = vi.fn();
    const database = await Database.open(temporaryFolder(), true, openLevel, { onRefused });
    const guard = new LogGuard(database.log.shared);
    const other = pendingWrite(guard);
    const written = database.write('documents', [['a', Buffer.from('1')]]);
    other.reject(refusal);
    await expect(other.announced).rejects.toBe(refusal);
    await expect(written).rejects.toMatchObject({ code: 'storage-full' });
    // nobody else has told this thread yet
    expect(onRefused).toHaveBeenCalledWith('documents', expect.objectContaining({ code: 'storage-full' }));
    await expect(database.write('documents', [['b', Buffer.from('1')]])).rejects.toMatchObject({
      code: 'storage-full',
    });
    expect(await database.get('b')).toBeUndefined();
    await expect(guard.announced('segment', () => Promise.resolve())).rejects.toThrow('refused');
    await database.reopen();
    await database.write('documents', [['c', Buffer.from('1')]]);
    await guard.announced('segment', () => Promise.resolve());
    expect(await database.log.isWhole()).toBe(true);
    await database.close();
  });

  it('stays refused where the main thread was refused while the worker wrote', async () => {
    const guard = new LogGuard();
    const other = pendingWrite(guard);
    guard.refused('documents', refusal);
    other.resolve();
    await expect(other.announced).rejects.toMatchObject({ code: 'storage-full' });
    expect(await guard.isWhole()).toBe(false);
  });

  it('waits for those who were writing when it was taken, and for nobody who begins after that', async () => {
    const guard = new LogGuard();
    const worker = pendingWrite(new LogGuard(guard.shared));
    const clearing = pendingWrite(guard, 'clearing');
    const whole = guard.isWhole();
    worker.resolve();
    await worker.announced;
    const next = pendingWrite(new LogGuard(guard.shared));
    clearing.resolve();
    await clearing.announced;
    expect(await whole).toBe(true);
    expect(await saysNow(guard)).toBe(undefined);
    next.resolve();
    await next.announced;
    expect(await saysNow(guard)).toBe(true);
  });

  it('is refused where whoever wrote beside it has ended without a word, and not where nobody wrote', async () => {
    const told: unknown[] = [];
    const guard = new LogGuard(undefined, (kind) => told.push(kind));
    guard.abandoned('segment');
    expect([await guard.isWhole(), told]).toEqual([true, []]);
    pendingWrite(new LogGuard(guard.shared));
    const whole = guard.isWhole();
    guard.abandoned('segment');
    expect([await whole, told]).toEqual([false, ['segment']]);
  });
});
