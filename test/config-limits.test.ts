import { describe, expect, it } from 'vitest';
import { limitsFrom, settingName } from '../src/config/setting.ts';
import { REMOVED_SETTINGS } from '../src/config/unused-names.ts';
import { readConfig, settings } from '../src/config.ts';
import { DEFAULT_EXTRACT_LIMITS, EXTRACT_LIMIT_ROWS, extractLimits } from '../src/extract/limits.ts';
import { DEFAULT_FETCH_LIMITS, FETCH_LIMIT_ROWS } from '../src/fetch/limits.ts';
import { HTTP_LIMIT_ROWS, HTTP_LIMITS } from '../src/http/limits.ts';
import { SERVICE_LIMIT_ROWS, SERVICE_LIMITS } from '../src/service/limits.ts';
import { DEFAULT_PIPELINE_LIMITS, PIPELINE_LIMIT_ROWS } from '../src/workers/limits.ts';

/** Set by a setting of their own, or by that of another limit. */
const DERIVED = ['portsAllowed', 'textBytesMax'];

describe('limits and settings', () => {
  it('gives a part its limits back under its own names', () => {
    const { config } = readConfig({ CANDIDATES_MAX: '99' });
    expect({ ...SERVICE_LIMITS, ...limitsFrom(config, '', SERVICE_LIMIT_ROWS) }).toEqual({
      ...SERVICE_LIMITS,
      candidatesMax: 99,
    });
    expect(settingName('FETCH_', 'fetchTimeoutMs')).toBe('FETCH_TIMEOUT_MS');
    expect(settingName('FETCH_', 'bytesMax')).toBe('FETCH_BYTES_MAX');
  });

  it('has no more settings than deployments turn', () => {
    expect(settings.length).toBeLessThanOrEqual(68);
  });

  it.each([
    ['SLICE_MS', '4'],
    ['FETCH_ROBOTS_BYTES_MAX', '512000'],
    ['SKETCH_KERNEL', 'auto'],
  ])('says of %s, which was a setting once, that it has no effect and what holds', (name, value) => {
    expect(readConfig({ [name]: '7' }).warnings).toEqual([
      `${name} is no setting any more and has no effect; it is fixed at ${value}`,
    ]);
    expect(readConfig({ [name]: '' }).warnings).toEqual([]);
  });

  it('tells every limit that is none of the settings by its value, and no setting as removed', () => {
    const parts: readonly (readonly [prefix: string, limits: object, rows: object])[] = [
      ['', HTTP_LIMITS, HTTP_LIMIT_ROWS],
      ['', SERVICE_LIMITS, SERVICE_LIMIT_ROWS],
      ['EXTRACT_', DEFAULT_EXTRACT_LIMITS, EXTRACT_LIMIT_ROWS],
      ['WORKERS_', DEFAULT_PIPELINE_LIMITS, PIPELINE_LIMIT_ROWS],
      ['FETCH_', DEFAULT_FETCH_LIMITS, FETCH_LIMIT_ROWS],
    ];
    const fixed = parts.flatMap(([prefix, limits, rows]) =>
      Object.entries(limits)
        .filter(([limit]) => !(limit in rows) && !DERIVED.includes(limit))
        .map(([limit, value]) => [settingName(prefix, limit), String(value)]),
    );
    expect(fixed.length).toBeGreaterThan(30);
    expect(REMOVED_SETTINGS).toMatchObject(Object.fromEntries(fixed));
    expect(settings.filter(([name]) => name in REMOVED_SETTINGS)).toEqual([]);
  });

  it('takes texts of 16 MiB whatever is set, and of twice the largest document', () => {
    const set = (documentBytesMax: number) =>
      extractLimits({ documentBytesMax, nodesMax: 1, pdfPagesMax: 1 }).textBytesMax;
    expect([set(1024), set(8 * 2 ** 20), set(64 * 2 ** 20)]).toEqual([2 ** 24, 2 ** 24, 2 ** 27]);
    expect(DEFAULT_EXTRACT_LIMITS).toMatchObject({ textBytesMax: 2 ** 24, documentBytesMax: 2 ** 23 });
  });
});
