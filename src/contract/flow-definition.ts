import { factIssue } from '../schemas/broken-rule.ts'
import { limitEntries } from '../schemas/limit-entries.ts'
import { fact } from '../core/facts/fact.ts'
/**
 * The definition of a flow, as a version stores it: the trigger, and steps by id. `next` names the following step;
 * null ends the run as completed.
 */
import { z } from 'zod'
import { stepId } from '../flow-kinds/steps/step-design.ts'
import { exitsOf, Step } from '../flow-kinds/steps/steps.ts'
import { Trigger } from '../flow-kinds/triggers/triggers.ts'
import { FLOW_LIMITS } from '../core/limits/flows.ts'
import { loosen } from '../schemas/loosen.ts'
import { UUID_CHARS } from '../rules/text/uuid.ts'

const flowOf = (trigger: typeof Trigger, step: typeof Step) =>
  z.object({
    /** Empty until one is chosen. */
    channelId: z.string().max(UUID_CHARS),
    trigger,
    start: stepId,
    steps: limitEntries(z.record(stepId, step), { max: FLOW_LIMITS.steps, unit: 'steps' }),
  })

/** A flow that may be incomplete: steps may lack values, and lead to steps that do not exist yet. */
export const FlowDraft = flowOf(loosen(Trigger), loosen(Step))
export type FlowDraft = z.infer<typeof FlowDraft>

/** A flow in which every exit leads to an existing step. */
export const FlowDefinition = flowOf(Trigger, Step).superRefine((flow, context) => {
  const unknown = (id: string | null, at: (string | number)[]) => {
    if (id !== null && !Object.hasOwn(flow.steps, id))
      context.addIssue({ ...factIssue(fact('unknown_step', { step: id })), path: at })
  }
  unknown(flow.start, ['start'])
  for (const [id, step] of Object.entries(flow.steps)) {
    for (const { exit, to } of exitsOf(step)) unknown(to, ['steps', id, exit])
  }
})
export type FlowDefinition = z.infer<typeof FlowDefinition>
