import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { planOf } from '../bench/support/sketch/sketch-plan.ts';
import { reaches } from '../bench/support/table.ts';

const SCRIPT = fileURLToPath(new URL('../bench/sketch.ts', import.meta.url));

describe('the bench of sketches', () => {
  it('knows each of its jobs by a name of its own', () => {
    const names = planOf(undefined, 5).flatMap(({ jobs }) => jobs.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(20);
    expect(new Set(names).size).toBe(names.length);
  });

  it('prints rows that were measured in processes of their own as JSON', { timeout: 240_000 }, () => {
    const told = ['--rounds', '1', '--only', 'copies of 5 KB', '--json'];
    const printed = execFileSync(process.execPath, [...process.execArgv, SCRIPT, ...told], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const { rows } = JSON.parse(printed) as {
      rows: { row: string; value: number; minimum: number; maximum: number }[];
    };
    expect(rows.map(({ row }) => row)).toContain('memory bandwidth: copies of 5 KB');
    for (const { value, minimum, maximum } of rows) {
      expect(minimum).toBeGreaterThan(0);
      expect(value).toBeGreaterThanOrEqual(minimum);
      expect(value).toBeLessThanOrEqual(maximum);
    }
  });

  it('tells a target that is met from one that is missed', () => {
    expect(reaches(22, '>= 22')).toBe(true);
    expect(reaches(21.9, '>= 22')).toBe(false);
    expect(reaches(60, '<= 60')).toBe(true);
    expect(reaches(60.1, '<= 60')).toBe(false);
    expect([0.94, 0.95, 1.04, 1.05].map((value) => reaches(value, '0.95 to 1.04'))).toEqual([false, true, true, false]);
  });
});
