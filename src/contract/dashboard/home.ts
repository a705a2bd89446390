import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { HookStatus } from '../../core/vocabulary/hooks.ts'
import type { EndpointState } from '../../core/vocabulary/deliveries.ts'
import type { FlowState } from '../../core/vocabulary/flows.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import type { BoundedCount } from './endpoint.ts'
import type { LocalizedFact } from './told.ts'
import type { Allowance } from './usage.ts'

/** What a company's first page shows. */
export type HomeView = {
  at: string
  companyName: string | null
  /** For those who set up; null for an Agent. */
  setUp: SetUpSteps | null
  /** What does not work although it is there and on; null for an Agent. */
  attention: Attention[] | null
  /** Of open conversations that need staff and are assigned to nobody. */
  needsPerson: {
    /** The longest waiting ones. */
    items: WaitingCustomer[]
    total: BoundedCount
  }
  /** For those who set up; null for an Agent. */
  today: TodayView | null
}

/** What of a set-up is there; a step is done when its facts are not null. */
export type SetUpSteps = {
  /** The first that is connected. `number`: digits without +. */
  channel: {
    type: ChannelType
    number: string | null
    name: string | null
    isSimulated: boolean
    connectedAt: string
  } | null
  templates: { count: number; approved: number; readAt: string } | null
  /** The one that was published first, else the draft that was changed last. `steps` of what is shown of it. */
  flow: { id: string; name: string; isPublished: boolean; state: FlowState; steps: number } | null
  /** The flow whose hook URL is to be asked first, with its state; null while no flow has one. */
  hookUrl: { id: string; flowId: string; flowName: string; flowState: FlowState } | null
  /** The last one over all hook URLs. What it was answered is kept for 30 days. */
  hookRequest: {
    flowId: string
    flowName: string
    answerStatus: HookStatus | null
    receivedAt: string
  } | null
  /** The first that is on, else the first; `count` of those that are on. */
  endpoint: { id: string; name: string; isOn: boolean; count: number } | null
  /** One that was answered with 2XX, a test too. */
  delivery: { id: string; endpointName: string; deliveredAt: string } | null
}

/** A connection or an action of which every call failed lately; `calls` of those looked at, no tests among them. */
export type FailingCalls = {
  kind: 'connection' | 'action'
  id: string
  name: string
  calls: number
  /** Of the last one; null where no answer came. */
  lastStatus: number | null
  lastFailure: CallFailure
}

export type Attention =
  /** The plan has no hook URLs, webhooks and calls, and the company has some of them. */
  | { kind: 'plan'; plan: Plan }
  | {
      kind: 'channel'
      id: string
      name: string | null
      type: ChannelType
      isConnected: boolean
      /** Why it is not connected, or what keeps its news from coming. */
      reason: LocalizedFact | null
    }
  | {
      kind: 'endpoint'
      id: string
      name: string
      state: Extract<EndpointState, 'failing' | 'off_failures' | 'off_gone'>
      /** Since when it fails, or is off. */
      since: string | null
    }
  | FailingCalls

export type WaitingCustomer = {
  conversationId: string
  /** Of the website's chat, who is no contact. */
  isVisitor: boolean
  /** Null where nobody knows it. */
  name: string | null
  phone: string | null
  /** Of the open handover. */
  reason: HandoverReason | null
  /** The assistant's or the flow's own words. */
  reasonText: string | null
  /** Null: nothing of theirs is unanswered. */
  waitingSince: string | null
}

/** An allowance with when it ends if the rest of the day goes on as it began; null: it lasts. */
export type Pace = Allowance & { endsAt: string | null }

export type TodayView = {
  /** Runs that began in the last 24 clock hours, the present one included; hours without runs are left out. */
  runs: {
    since: string
    /** Those that were looked at, the newest first. */
    total: BoundedCount
    /** Of them, whenever they failed. */
    failed: number
    hours: { hour: string; runs: number; failed: number }[]
  }
  /** Of the account and its projects together, this UTC day. */
  automatedTemplates: Pace
  /** The same of calls: of flows, of the assistant and of tests, each attempt counted. */
  calls: Pace
}
