import type { DeletePlan, WritePlan } from './port.ts';

/** A plan of which is known when its document was seen. */
export type Dated<Plan> = Plan & { readonly observedAt: number };

/**
 * What is seen now is seen after whatever is known of its source, also where a clock was set back since, or ran ahead then.
 *
 * @param known the source, as far as it is known
 */
export function dated<Plan extends Exclude<WritePlan, DeletePlan>>(
  plan: Plan,
  known: { readonly observedAt: number } | undefined,
): Dated<Plan> {
  const { observedAt, receivedAt } = plan;
  if (observedAt !== null) return { ...plan, observedAt };
  return {
    ...plan,
    observedAt: known !== undefined && known.observedAt >= receivedAt ? known.observedAt + 1 : receivedAt,
  };
}
