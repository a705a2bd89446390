import { readOpeningHours } from '../../accounts/company-hours.ts'
import { capabilitiesOf, mayReply } from '../../../rules/messaging/channel-capabilities.ts'
import type {
  RunContext,
  OfferedTimes,
  RunState,
  Variables,
  StepContact,
} from '../../../flow-kinds/steps/run-state.ts'
import type { LoadedRun } from './load-runs.sql.ts'

/** Returns the context in which a run continues. */
export function runContextOf(
  { run, conversation, channel, hours, fields }: LoadedRun,
  now: Date,
): RunContext {
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

/** Returns the contact as steps see it, or null for a visitor. */
export function contactOf({ contact }: Pick<LoadedRun, 'contact'>): StepContact | null {
  if (!contact) return null
  const { name, phone, email, tags, fields } = contact
  return { name, phone, email, tags, fields }
}

/** Returns the state of a run as the engine uses it. */
export function stateOf({ run }: Pick<LoadedRun, 'run'>): RunState {
  const {
    stepId,
    stepsSinceWait,
    waits,
    callsSinceReply,
    callsSinceReplyMs,
    wrongAnswers,
    language,
  } = run
  return {
    stepId,
    variables: JSON.parse(run.variables) as Variables,
    stepsSinceWait,
    waits,
    callsSinceReply,
    callsSinceReplyMs,
    wrongAnswers,
    language,
    offered: run.offered === null ? null : (JSON.parse(run.offered) as OfferedTimes),
  }
}
