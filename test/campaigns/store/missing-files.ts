import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DamageProcess, filesByKind, HOLDS_DATA } from '../../support/store/damage-process.ts';
import { fillKeyed } from '../../support/store/damaged-index.ts';

/*
 * Each file of an index that holds data is deleted in turn: `npm run campaign:missing-files`. Every one must be reported:
 * the index does not open, or says of an answer that it cannot tell. Exit code 1 where nothing is said.
 */

const folder = mkdtempSync(join(tmpdir(), 'shingled-missing-'));
const sound = join(folder, 'sound');
await fillKeyed(sound);
const process_ = new DamageProcess(sound, join(folder, 'work'));
const verdicts: Record<string, string> = {};
for (const path of [...filesByKind(sound).values()].flat().filter(HOLDS_DATA)) {
  const verdict = await process_.verdictOn({ path });
  verdicts[path] = verdict.verdict === 'silent' ? `silent: ${verdict.detail.slice(0, 200)}` : verdict.verdict;
}
await process_.close();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(verdicts, null, 2));
process.exitCode = Object.values(verdicts).every((verdict) => verdict === 'reported') ? 0 : 1;
