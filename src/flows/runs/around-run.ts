import { readOpeningHours } from '../../accounts/company-hours.ts'
import { capabilitiesOf, mayReply } from '../../rules/messaging/channel-capabilities.ts'
import type {
  Around,
  OfferedTimes,
  RunState,
  Variables,
  WalkedContact,
} from '../../flow-kinds/steps/run-state.ts'
import type { Hand } from './read-hands.sql.ts'

/** Where and when a run goes on. */
export function aroundOf({ run, conversation, channel, hours, fields }: Hand, now: Date): Around {
  const capabilities = capabilitiesOf(conversation.channelType)
  return {
    runId: run.id,
    now,
    zone: hours.timeZone,
    openingHours: readOpeningHours(hours.openingHours),
    country: channel.country,
    isWindowOpen: mayReply(capabilities, conversation.lastCustomerAt, now),
    fields,
  }
}

/** The customer, as steps look at them; null of a visitor. */
export function contactOf({ contact }: Pick<Hand, 'contact'>): WalkedContact | null {
  if (!contact) return null
  const { name, phone, email, tags, fields } = contact
  return { name, phone, email, tags, fields }
}

/** A run as the engine takes it on. */
export function stateOf({ run }: Pick<Hand, 'run'>): RunState {
  const { stepId, stepsSinceWait, waits, callsInGo, callsInGoMs, wrongAnswers, language } = run
  return {
    stepId,
    variables: JSON.parse(run.variables) as Variables,
    stepsSinceWait,
    waits,
    callsInGo,
    callsInGoMs,
    wrongAnswers,
    language,
    offered: run.offered === null ? null : (JSON.parse(run.offered) as OfferedTimes),
  }
}
