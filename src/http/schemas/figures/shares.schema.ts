import Type from 'typebox';
import { closed, orNull, Share } from '../common.schema.ts';

/* Shares as they are printed. */

const Decision = orNull(Type.Enum(['yes', 'no', 'undecided']), {
  description:
    'Whether the share reaches its threshold: `yes` and `no` hold with 97.5 % confidence, else `undecided`; null where no threshold was asked for.',
  examples: ['yes'],
});

export const EstimatedShare = closed(
  {
    estimate: Share({ description: 'The most likely share, to 6 significant digits.', examples: [0.91226] }),
    low: Share({ description: 'Lower end of its 95 % interval, rounded down.', examples: [0.887307] }),
    high: Share({ description: 'Upper end of its 95 % interval, rounded up.', examples: [0.935524] }),
    decision: Decision,
  },
  {
    title: 'EstimatedShare',
    description:
      'A share estimated from samples, with its 95 % interval. Records keep so few bits of each shingle that some agree by chance: these are taken off, and the interval covers them. Where all shingles of both were compared, and such a chance is below 2.5 %, the interval is one number, but for rounding.',
  },
);

export const ExactShare = closed(
  {
    exact: Share({
      description:
        'The share itself, to 6 significant digits: all shingles of both were compared, and the chance that any two were taken for one is below 10^-6.',
      examples: [0.9],
    }),
    decision: Decision,
  },
  { title: 'ExactShare', description: 'A share computed from both whole documents.' },
);

export const AnyShare = (description: string) => Type.Union([EstimatedShare, ExactShare], { description });

/** @param examples estimate, low and high */
export const PartShare = (description: string, [estimate, low, high]: readonly [number, number, number]) =>
  closed(
    {
      estimate: Share({ description: 'By the sample, without bias, to 6 significant digits.', examples: [estimate] }),
      low: Share({ description: 'Lower end of its 95 % interval, rounded down.', examples: [low] }),
      high: Share({
        description: 'Upper end, rounded up; both ends are the share itself where all shingles were compared.',
        examples: [high],
      }),
    },
    { description },
  );
