import { runToEnd } from '../../../src/core/memory/steps.ts';
import { type LookUpPlan, planLookUpSteps } from '../../../src/core/query/look-up.ts';

/** What to look up for a query, all at once. */
export const planLookUp = (...asked: Parameters<typeof planLookUpSteps>): LookUpPlan =>
  runToEnd(planLookUpSteps(...asked));
