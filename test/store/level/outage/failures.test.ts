import { describe, expect, it } from 'vitest';
import { openFailure } from '../../../../src/store/level/outage/failures.ts';

const IN_FOLDER = new Set(['CURRENT', 'LOCK', 'MANIFEST-000044', '000046.log', '000040.ldb']);

/** What LevelDB says of a file. */
const ioErrorAt = (file: string, reason: string) =>
  Object.assign(new Error(`IO error: /data/db/${file}: ${reason}`), { code: 'LEVEL_IO_ERROR' });

describe('an opening that fails', () => {
  it.each([
    ['a file that was not there cannot be written', ioErrorAt('000047.dbtmp', 'Input/output error'), 'storage-full'],
    ['another that was not there', ioErrorAt('MANIFEST-000047', 'Input/output error'), 'storage-full'],
    ['one that was there cannot be read', ioErrorAt('MANIFEST-000044', 'Input/output error'), 'index-damaged'],
    ['one that should be there is not', ioErrorAt('000041.ldb', 'No such file or directory'), 'index-damaged'],
    ['one that was there has no descriptor', ioErrorAt('000046.log', 'Too many open files'), 'storage-full'],
    [
      'LevelDB says that it is damaged',
      new Error('Corruption: 1 missing files; e.g.: /data/db/000041.ldb'),
      'index-damaged',
    ],
  ])('where %s', (_, cause, code) => {
    expect(openFailure(new Error('Database failed to open', { cause }), IN_FOLDER)).toMatchObject({ code, cause });
  });
});
