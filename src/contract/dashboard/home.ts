import type { ChannelType } from '../../vocabulary/channels.ts'
import type { HookStatus } from '../../vocabulary/hooks.ts'
import type { HandoverReason } from '../../vocabulary/inbox.ts'
import type { BoundedCount } from './endpoint.ts'
import type { Allowance } from './usage.ts'

/** What a company's first page shows. */
export type HomeView = {
  at: string
  companyName: string | null
  /** For those who set up; null for an Agent. */
  setUp: SetUpSteps | null
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
  flow: { id: string; name: string; isPublished: boolean; steps: number } | null
  /** The flow whose hook URL is to be asked first; null while no flow has one. */
  hookUrl: { id: string; flowId: string; flowName: string } | null
  /** The last one over all hook URLs. What it was answered is kept for 30 days. */
  hookRequest: {
    flowId: string
    flowName: string
    answerStatus: HookStatus | null
    receivedAt: string
  } | null
  endpoint: { id: string; name: string; isOn: boolean; count: number } | null
  /** One that was answered with 2XX. */
  delivery: { id: string; endpointName: string; deliveredAt: string } | null
}

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
  /** The last 24 clock hours, the present one included; hours without runs are left out. */
  runs: {
    since: string
    /** Those that were looked at, the newest first. */
    total: BoundedCount
    failed: number
    hours: { hour: string; runs: number; failed: number }[]
  }
  automatedTemplates: Pace
  calls: Pace
}
