import type { FlowState, TriggerKind } from '../../core/vocabulary/flows.ts'

/** The facts that decide a flow's badge. */
export type FlowStateInputs = {
  isPublished: boolean
  isOn: boolean
  /** The trigger of the published version. */
  triggerKind: TriggerKind | null
  isChannelConnected: boolean
  /** True when the plan's number of flows includes this flow. */
  isWithinPlan: boolean
  plan: { automations: boolean; developer: boolean }
}

/** Returns the badge of a flow: it is on when its trigger can start it. Spec: Concepts › Plans; reading N3. */
export function flowState({ plan, ...flow }: FlowStateInputs): FlowState {
  if (!flow.isPublished) return 'draft'
  if (!flow.isOn) return 'off'
  if (!plan.automations) return 'not_in_plan'
  if (!flow.isWithinPlan) return 'beyond_plan'
  if (flow.triggerKind === 'webhook' && !plan.developer) return 'not_in_plan'
  return flow.isChannelConnected ? 'on' : 'channel_off'
}
