import { ShingledError } from '../../../src/errors.ts';
import { answerParent } from '../../../src/store/level/child/child.ts';

/* A child process of child.ts that does what it is told: `{ "fails": … }`, `{ "ends": … }` or `{ "gives": … }`. */

interface Told {
  readonly fails?: 'typed' | 'else';
  readonly ends?: number;
  readonly gives?: unknown;
}

await answerParent<Told, unknown>(async ({ fails, ends, gives }, progress) => {
  progress('begun');
  if (ends !== undefined) {
    process.stderr.write('last words');
    process.exit(ends);
  }
  if (fails === 'typed') {
    throw new ShingledError('invalid-config', 'Too small.', { field: 'DATA_DIR', limit: { name: 'LEAST', value: 3 } });
  }
  if (fails === 'else') throw new TypeError('Nobody foresaw it.');
  return gives;
});
