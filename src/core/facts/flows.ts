import type { None } from './none.ts'

/** Reasons why changes to flows, drafts and runs are refused. */
export type FlowFacts = {
  no_such_flow: None
  no_such_run: None
  run_has_ended: None
  automations_not_in_plan: { plan: string }
  too_many_flows: { max: number }
  flows_used_up: { plan: string; flows: number }
  draft_connection_unknown: None
  draft_channel_unknown: None
  no_draft: None
  draft_not_publishable: None
}
