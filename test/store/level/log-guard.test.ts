import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/store/level/database.ts';
import { LogGuard } from '../../../src/store/level/log-guard.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const refusal = new Error('No space left on device');

/** A write of another thread, to be ended by hand. */
function pendingWrite(guard: LogGuard) {
  const write = Promise.withResolvers<void>();
  const announced = guard.announced(() => write.promise);
  return { ...write, announced };
}

describe('a batch beside which the worker writes', () => {
  it('is acknowledged when that has ended well, and not before', async () => {
    const database = await Database.open(temporaryFolder(), true);
    const other = pendingWrite(new LogGuard(database.log.shared));
    let acknowledged = false;
    const written = database.write([['a', Buffer.from('1')]]).then(() => {
      acknowledged = true;
    });
    while ((await database.get('a')) === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(acknowledged).toBe(false);
    other.resolve();
    await Promise.all([written, other.announced]);
    await database.close();
  });

  it('is refused with it, as is all that follows until the database was opened anew', async () => {
    const database = await Database.open(temporaryFolder(), true);
    const guard = new LogGuard(database.log.shared);
    const other = pendingWrite(guard);
    const written = database.write([['a', Buffer.from('1')]]);
    other.reject(refusal);
    await expect(other.announced).rejects.toBe(refusal);
    await expect(written).rejects.toMatchObject({ code: 'storage-full' });
    await expect(database.write([['b', Buffer.from('1')]])).rejects.toMatchObject({ code: 'storage-full' });
    await expect(guard.announced(() => Promise.resolve())).rejects.toThrow('refused');
    await database.reopen();
    await database.write([['c', Buffer.from('1')]]);
    await guard.announced(() => Promise.resolve());
    expect(await database.log.isWhole()).toBe(true);
    await database.close();
  });

  it('stays refused where the main thread was refused while the worker wrote', async () => {
    const guard = new LogGuard();
    const other = pendingWrite(guard);
    guard.refused();
    other.resolve();
    await other.announced;
    expect(await guard.isWhole()).toBe(false);
  });
});
