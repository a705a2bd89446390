import type { FlowFacts } from '../../core/facts/flows.ts'
import type { Catalog } from '../catalog.ts'

export const EN_FLOWS: Catalog<FlowFacts> = {
  no_such_flow: () => 'No flow with this ID.',
  run_has_ended: () => 'The run has already ended.',
  no_such_run: () => 'No run with this ID.',
  automations_not_in_plan: ({ plan }) => `Automations aren’t included in the ${plan} plan.`,
  flows_used_up: ({ plan, flows }) =>
    `The ${plan} plan allows ${flows} active flows. Switch another one off first.`,
  draft_connection_unknown: () => 'No API connection with this ID.',
  draft_channel_unknown: () => 'No channel with this ID.',
  no_draft: () => 'There’s no draft to publish. Save one first.',
  draft_not_publishable: () => 'The flow has problems to fix before you can publish it.',
}
