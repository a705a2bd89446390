import { z } from 'zod'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { APPOINTMENT_VARIABLES, dayInWords } from '../../rules/appointments/appointment-values.ts'
import { readSlotChoice } from '../../rules/appointments/read-slot-choice.ts'
import { buttonPayload } from '../../rules/flows/button-payload.ts'
import { isInArabic } from '../../rules/flows/is-in-arabic.ts'
import { stepMessageWords } from '../../rules/flows/step-message-words.ts'
import { instantAt, wallTextAt } from '../../rules/time/zone.ts'
import { issuesOfText } from './issues-of-text.ts'
import {
  setVariable,
  type InlineEffectOutcome,
  type OfferedTimes,
  type StepInput,
} from './run-state.ts'
import {
  filledText,
  ifItFailed,
  ifNotSent,
  nextStep,
  stepIssue,
  variablesIn,
  type Resumed,
  type StepDefinition,
  type StepContext,
  type Traversal,
} from './step-design.ts'
import { waitMinutes } from './wait-minutes.ts'
import { UUID_CHARS } from '../../rules/text/uuid.ts'

const schema = z.object({
  kind: z.literal('book'),
  serviceId: z.string().max(UUID_CHARS),
  /** One of the service's people or rooms. Null allows any of them. */
  resourceId: z.string().max(UUID_CHARS).nullable().default(null),
  /** The text above the times of a day. */
  text: filledText.min(1),
  /** The number of repeated tries for the customer. */
  retries: z.number().int().min(0).max(FLOW_LIMITS.retries).default(2),
  /** The reply to an invalid answer. Null repeats the text. */
  retryText: filledText.min(1).nullable().default(null),
  timeoutMinutes: waitMinutes,
  next: nextStep,
  /** The step when nothing is free or booking is not allowed. Null hands the conversation over to staff. */
  onNone: nextStep.default(null),
  /** The step after the last invalid answer. Null hands the conversation over to staff. */
  onInvalid: nextStep.default(null),
  onTimeout: nextStep,
  onNotSent: ifNotSent,
})
type BookStep = z.infer<typeof schema>

/** The step that offers free times and books the chosen one. Spec: Flows › Booking; readings F42, F43, F44. */
export const BOOK = {
  schema,
  exits: ({ next, onNone, onInvalid, onTimeout, onNotSent }) => ({
    next,
    onNone,
    onInvalid,
    onTimeout,
    onNotSent,
  }),
  sends: 'message',
  runsInlineEffects: true,
  waits: { isAnswer: (exit) => exit === 'next' || exit === 'onInvalid' },
  reads: ({ text, retryText }) => variablesIn([text, retryText ?? '']),
  sets: (_, exit) => (exit === 'next' ? [...APPOINTMENT_VARIABLES] : []),
  enter(step, { state, around }) {
    state.wrongAnswers = 0
    return find(step, around.now)
  },
  resume(step, input, walk) {
    switch (input.kind) {
      case 'sent':
        return { kind: 'wait', forReply: true, timeoutMs: step.timeoutMinutes * MINUTE_MS }
      case 'timeout':
        return { kind: 'go_on', to: step.onTimeout, done: fact('no_reply_in_time') }
      case 'reply':
        return take(step, input, walk)
      case 'effect_done':
        return afterInlineEffect(step, input.outcome, walk)
      case 'send_failed':
      case 'called':
        return ifItFailed(step, input)
    }
  },
  issues: (step, around) => [
    ...issuesOfText('text', step.text, around.channelType),
    ...issuesOfText('retryText', step.retryText ?? '', around.channelType).filter(
      ({ field }) => field,
    ),
    ...issuesOfService(step, around),
  ],
} satisfies StepDefinition<BookStep>

function find({ serviceId, resourceId }: BookStep, from: Date) {
  return {
    kind: 'effect' as const,
    effect: { kind: 'find_times' as const, serviceId, resourceId, from },
  }
}

function take(
  step: BookStep,
  reply: Extract<StepInput, { kind: 'reply' }>,
  { state, around }: Traversal,
): Resumed {
  const { offered } = state
  if (!offered) return find(step, around.now)
  const labels = labelsOf(step, offered)
  const { firstOption } = offered
  const context = { ...around, zone: offered.zone, stepId: state.stepId! }
  const choice = readSlotChoice(reply, context, { labels, firstOption })
  if (choice === null) return askAgain(step, offered, state)
  state.wrongAnswers = 0
  if ('day' in choice) {
    const day = Date.parse(`${choice.day}T00:00:00Z`)
    return find(step, new Date(instantAt(offered.zone, day).at))
  }
  const startsAt = offered.starts[choice.place]
  if (startsAt === undefined)
    return find(step, new Date(furtherFrom(offered)[choice.place - offered.starts.length]!))
  const { serviceId, resourceId } = step
  const wanted = { serviceId, resourceId, startsAt: new Date(startsAt) }
  return { kind: 'effect', effect: { kind: 'book', ...wanted, language: languageOf(step) } }
}

function askAgain(step: BookStep, offered: OfferedTimes, state: Traversal['state']): Resumed {
  state.wrongAnswers += 1
  const done = fact('no_answer_to_question', { times: state.wrongAnswers })
  if (state.wrongAnswers <= step.retries) {
    return { ...find(step, new Date(offered.starts[0]!)), done }
  }
  state.wrongAnswers = 0
  return leave(step.onInvalid, done)
}

function afterInlineEffect(
  step: BookStep,
  outcome: InlineEffectOutcome,
  walk: Traversal,
): Resumed | null {
  const { state } = walk
  switch (outcome.kind) {
    case 'times':
      return outcome.offer
        ? offer(step, outcome.offer, walk)
        : leave(step.onNone, fact('no_times_free'))
    case 'booked': {
      for (const [name, value] of Object.entries(outcome.values)) {
        setVariable(state.variables, name, value)
      }
      const done = fact('appointment_made', {
        reference: outcome.values.appointment_reference ?? '',
      })
      return { kind: 'go_on', to: step.next, done }
    }
    case 'not_booked': {
      if (outcome.why !== 'slot_taken') return leave(step.onNone, fact(outcome.why))
      const { offered } = state
      state.offered = offered && { ...offered, isTaken: true }
      const from = offered ? new Date(offered.starts[0]!) : walk.around.now
      return { ...find(step, from), done: fact('time_was_taken') }
    }
    case 'cancelled':
    case 'not_cancelled':
      return null
  }
}

/** Returns the language of the step's text, in which the service's own texts are sent. */
const languageOf = ({ text }: BookStep) => (isInArabic(text) ? 'ar' : 'en')

function offer(
  step: BookStep,
  times: NonNullable<Extract<InlineEffectOutcome, { kind: 'times' }>['offer']>,
  walk: Traversal,
) {
  const { state, around, fill } = walk
  const before = state.offered
  const starts = times.starts.map((start) => start.toISOString())
  const firstOption = firstOptionAfter(before, starts)
  const iso = (at: Date | null) => at && at.toISOString()
  const offered: OfferedTimes = {
    zone: times.zone,
    firstOption,
    starts,
    moreFrom: iso(times.moreFrom),
    otherDayFrom: iso(times.otherDayFrom),
    isTaken: false,
  }
  state.offered = offered
  const language = languageOf(step)
  const said = state.wrongAnswers > 0 ? (step.retryText ?? step.text) : step.text
  const day = dayInWords(times.starts[0]!, times.zone, language)
  const lines = [...(before?.isTaken ? [stepMessageWords[language].taken] : []), fill(said), day]
  const at = { runId: around.runId, stepId: state.stepId! }
  const options = labelsOf(step, offered).map((label, place) => ({
    label,
    payload: buttonPayload({ ...at, option: firstOption + place }),
  }))
  const content = { kind: 'question' as const, text: lines.join('\n\n'), options }
  return { kind: 'send' as const, content }
}

/**
 * Returns the number of an offer's first option. Buttons of an earlier offer have other numbers, unless its times are
 * equal.
 */
function firstOptionAfter(before: OfferedTimes | null, starts: readonly string[]): number {
  if (!before) return 0
  if (String(before.starts) === String(starts)) return before.firstOption
  return (before.firstOption + before.starts.length + 2) % LAST_OPTION
}

/** The limit of option numbers, since a button's number has three digits. */
const LAST_OPTION = 980

function labelsOf(step: BookStep, offered: OfferedTimes): string[] {
  const words = stepMessageWords[languageOf(step)]
  const times = offered.starts.map((start) => wallTextAt(offered.zone, new Date(start)).slice(11))
  return [
    ...times,
    ...(offered.moreFrom === null ? [] : [words.more_times]),
    ...(offered.otherDayFrom === null ? [] : [words.other_day]),
  ]
}

const furtherFrom = ({ moreFrom, otherDayFrom }: OfferedTimes) =>
  [moreFrom, otherDayFrom].flatMap((from) => from ?? [])

function leave(to: string | null, done: Fact): Resumed {
  if (to !== null) return { kind: 'go_on', to, done }
  return { kind: 'end', act: { kind: 'hand_over', text: null, personId: null }, done }
}

function issuesOfService({ serviceId, resourceId }: BookStep, { services }: StepContext) {
  const service = services.find(({ id }) => id === serviceId)
  if (!service?.canBeBooked) {
    return [stepIssue('serviceId', 'service_bookable', fact('service_bookable'))]
  }
  if (resourceId === null || service.resourceIds.includes(resourceId)) return []
  return [stepIssue('resourceId', 'service_bookable', fact('service_needs_resource'))]
}
