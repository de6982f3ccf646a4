import { join } from 'node:path';
import { IDENTITY, SHINGLE_SIZE } from '../service/service-fixture.ts';
import { openFolder } from '../store/level-folder.ts';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from './http-fixture.ts';

/** The app over an index on disk, in `folder`/data; backups belong in `folder`/backups. */
export async function createHttpOnDisk(folder: string, options: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const store = await openFolder(join(folder, 'data'), {
    ...{ keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE },
    backupDir: join(folder, 'backups'),
  });
  const fixture = await createHttpFixture({ ...options, wrapStore: () => store });
  return {
    ...fixture,
    async close() {
      await fixture.close();
      await store.close();
    },
  };
}
