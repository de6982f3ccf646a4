import type { Retention } from '../store/port.ts';
import { RETENTION_DEFAULT } from '../store/settings.ts';
import { limitSettings, row } from './limit-settings.ts';
import { decimal } from './setting.ts';

const DAY_MS = 86_400_000;

/** What is counted or timed of the retention; the share is a setting of its own. */
export type RetentionNumbers = Omit<Retention, 'pastResemblanceMax'>;

const { pastResemblanceMax, ...numbers } = RETENTION_DEFAULT;
export const RETENTION_NUMBERS: RetentionNumbers = numbers;

/** What old contents of a source are kept for. */
export const retentionSettings = {
  ...limitSettings<'RETENTION_', RetentionNumbers>('RETENTION_', RETENTION_NUMBERS, {
    pastContentsMax: row(
      0,
      1000,
      'Past contents kept for a source; 0 = none.',
      'A page that changed is found by what it said.',
    ),
    pastMs: row(
      0,
      36_500 * DAY_MS,
      'How long a past content is kept from when it became one here: replaced, or told of as an older one.',
      'A year of yearly pages.',
    ),
    versionsMax: row(1, 100_000, 'Dated versions kept for a source.', 'About two years of weekly visits.'),
  }),
  RETENTION_PAST_RESEMBLANCE_MAX: decimal({
    default: pastResemblanceMax,
    minimum: 0,
    maximum: 1,
    description: 'A past content that resembles its successor at least so much is dropped at once.',
    reason: 'A page with a clock on it would else leave a content at every visit.',
  }),
};
