import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { HookStatus } from '../../core/vocabulary/hooks.ts'
import type { EndpointState } from '../../core/vocabulary/deliveries.ts'
import type { FlowState } from '../../core/vocabulary/flows.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import type { BoundedCount } from './endpoint.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Allowance } from './usage.ts'

/** The content of a company's first page. */
export type HomeView = {
  at: string
  companyName: string | null
  /** The set-up is shown to Owners and Admins; an Agent gets null. */
  setUp: SetUpSteps | null
  /** Configured parts that are switched on but do not work. An Agent gets null. */
  attention: Attention[] | null
  /** Open, unassigned conversations that need staff. */
  needsPerson: {
    /** The customers who have waited longest. */
    items: WaitingCustomer[]
    total: BoundedCount
  }
  /** Today's figures are shown to Owners and Admins; an Agent gets null. */
  today: TodayView | null
}

/** The state of the set-up. A step is done when its facts are not null. */
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
  /** The flow that was published first, or else the draft that was changed last. `steps` is its number of steps. */
  flow: { id: string; name: string; isPublished: boolean; state: FlowState; steps: number } | null
  /** The flow whose hook URL is the first to call, with its state; null while no flow has one. */
  hookUrl: { id: string; flowId: string; flowName: string; flowState: FlowState } | null
  /** The last request to any hook URL. Requests are stored for 30 days. */
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

/** A connection or an action whose recent calls all failed. `calls` is the size of the sample, without tests. */
export type FailingCalls = {
  kind: 'connection' | 'action'
  id: string
  name: string
  calls: number
  /** The HTTP status of the last attempt; null if no answer came. */
  lastStatus: number | null
  lastFailure: CallFailure
}

/** A configured part that does not work. */
export type Attention =
  /** The plan has no hook URLs, webhooks and calls, and the company has some of them. */
  | { kind: 'plan'; plan: Plan }
  | {
      kind: 'channel'
      id: string
      name: string | null
      type: ChannelType
      isConnected: boolean
      /** The reason why the channel is not connected, or why its events do not arrive. */
      reason: LocalizedFact | null
    }
  | {
      kind: 'endpoint'
      id: string
      name: string
      state: Extract<EndpointState, 'failing' | 'off_failures' | 'off_gone'>
      /** The time since which the endpoint fails or is off. */
      since: string | null
    }
  | FailingCalls

export type WaitingCustomer = {
  conversationId: string
  /** The customer is a visitor of the website's chat, who is no contact. */
  isVisitor: boolean
  /** The name is null if it is unknown. */
  name: string | null
  phone: string | null
  /** The reason of the open handover. */
  reason: HandoverReason | null
  /** The assistant's or the flow's reason, as text. */
  reasonText: string | null
  /** The value is null if no message of the customer is unanswered. */
  waitingSince: string | null
}

/** An allowance with the time at which it is used up at today's rate; `endsAt` is null if it lasts. */
export type AllowanceForecast = Allowance & { endsAt: string | null }

export type TodayView = {
  /** Runs that began in the last 24 clock hours, the present one included; hours without runs are left out. */
  runs: {
    since: string
    /** Number of runs in the sample, the newest first. */
    total: BoundedCount
    /** Failed runs in the sample, regardless of the time of failure. */
    failed: number
    hours: { hour: string; runs: number; failed: number }[]
  }
  /** Templates of the account and its projects together, in this UTC day. */
  automatedTemplates: AllowanceForecast
  /** The same of calls: of flows, of the assistant and of tests, each attempt counted. */
  calls: AllowanceForecast
}
