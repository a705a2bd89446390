import type { FlowFacts } from '../../facts/flows.ts'
import type { Sentences } from '../sentences.ts'

export const EN_FLOWS: Sentences<FlowFacts> = {
  no_such_flow: () => 'This company has no such flow.',
  run_has_ended: () => 'The run has ended already.',
  no_such_run: () => 'This company has no such run.',
  automations_not_in_plan: ({ plan }) => `Automations are not part of the ${plan} plan.`,
  flows_used_up: ({ plan, flows }) =>
    `The ${plan} plan has ${flows} flows that are published and switched on. Switch another one off first.`,
  draft_connection_unknown: () => 'The company has no API connection with this id.',
  draft_channel_unknown: () => 'The company has no channel with this id.',
  no_draft: () => 'The flow has no draft to publish. Save one first.',
  draft_not_publishable: () => 'The flow cannot be published as it is.',
}
