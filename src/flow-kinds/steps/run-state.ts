/** The state of a run, as the engine and its steps read it. */
import type { Fact } from '../../core/facts/fact.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'
import type { DayOffer } from '../../rules/appointments/offer-day.ts'
import type { FieldDesign } from '../../rules/contacts/field-value.ts'
import type { AnsweringMessage } from '../../rules/flows/read-answer.ts'
import type { OpeningHours } from '../../rules/flows/opening-hours.ts'
import { cutCodePoints } from '../../rules/text/json-text.ts'
import { HTTP_STATUS_VARIABLE } from '../../core/vocabulary/flows.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { LeadTemperature } from '../../core/vocabulary/leads.ts'

/** The variables of a run by name. */
export type Variables = Record<string, string | null>

/** The state of a run between two steps. */
export type RunState = {
  /** The next or current step; null when the run has reached its end. */
  stepId: string | null
  variables: Variables
  stepsSinceWait: number
  waits: number
  /** Calls made since the customer's last message, and the milliseconds that they took. */
  callsSinceReply: number
  callsSinceReplyMs: number
  /** The number of consecutive invalid answers to the step's question. */
  wrongAnswers: number
  /** The times that a step offered last; null when it has offered none. */
  offered: OfferedTimes | null
  /** The language of the run; null when it is unknown. */
  language: string | null
}

/** The part of the customer's data that steps read. */
export type StepContact = {
  name: string | null
  phone: string | null
  email: string | null
  tags: readonly string[]
  fields: Readonly<Record<string, string | null>>
}

/** The channel, the company and the time of a run, as far as its steps read them. */
export type RunContext = {
  runId: string
  now: Date
  /** The company's time zone. */
  zone: string
  openingHours: OpeningHours | null
  /** ISO 3166-1 alpha-2, of the channel's number. */
  country: string | null
  /** True when a message other than a template may be sent now. */
  isWindowOpen: boolean
  /** The company's custom fields that the flow sets, by key. */
  fields: ReadonlyMap<string, FieldDesign>
}

/** A change to the customer or the conversation, which is written with the run's advance. */
export type StepMutation =
  | {
      kind: 'edit_contact'
      addTags?: readonly string[]
      removeTags?: readonly string[]
      fields?: Readonly<Record<string, string | null>>
      language?: string
    }
  | { kind: 'note'; text: string }
  /** Null keeps the lead's value. */
  | {
      kind: 'make_lead'
      temperature: LeadTemperature | null
      score: number | null
      summary: string | null
      qualify: boolean
    }
  | { kind: 'assign'; personId: string | null }
  | { kind: 'hand_over'; text: string | null; personId: string | null }
  | { kind: 'resolve' }

/** The times of a day that the customer may choose, in the order of their options. */
export type OfferedTimes = {
  zone: string
  /** The number of the first option; the offers of a step have different numbers. */
  firstOption: number
  /** Instants in ISO. */
  starts: string[]
  moreFrom: string | null
  otherDayFrom: string | null
  /** True when the time that the customer chose was already taken. */
  isTaken: boolean
}

/**
 * A search for times, a booking or a cancellation, inside the advance of a run. Its outcome decides how the run
 * continues.
 */
export type InlineEffect =
  | { kind: 'find_times'; serviceId: string; resourceId: string | null; from: Date }
  | {
      kind: 'book'
      serviceId: string
      resourceId: string | null
      startsAt: Date
      /** The language in which the time was offered. */
      language: Language
    }
  /** `reference` identifies the run's appointment. Null selects the customer's next one. */
  | { kind: 'cancel_appointment'; reference: string | null; reason: string | null }

/** The outcome of an inline effect. */
export type InlineEffectOutcome =
  /** Null when nothing is free. */
  | { kind: 'times'; offer: (DayOffer & { zone: string }) | null }
  | { kind: 'booked'; values: Variables }
  | { kind: 'not_booked'; why: 'slot_taken' | 'too_many_appointments' | 'not_bookable' }
  | { kind: 'cancelled'; reference: string }
  | { kind: 'not_cancelled' }

/** An event that resumes a run at its step. */
export type StepInput =
  | ({ kind: 'reply' } & AnsweringMessage)
  | { kind: 'timeout' }
  | { kind: 'sent' }
  | { kind: 'send_failed'; detail: Fact }
  | { kind: 'called'; call: CallOutcome }
  | { kind: 'effect_done'; outcome: InlineEffectOutcome }

/** The result of a call, as far as the path of a run depends on it. */
export type CallOutcome = {
  isSuccess: boolean
  /** The status of the response; null when none arrived. */
  httpStatus: number | null
  /** The values by the names that the step keeps; empty for a failed call. */
  kept: Variables
  /** The number of requests made, including a repeated GET; 0 when the call was not made. */
  attempts: number
  durationMs: number
}

/** The content of a step's message, with its placeholders filled in. */
export type SendContent =
  | { kind: 'text'; text: string }
  /** A file of the company. */
  | { kind: 'media'; fileId: string; caption: string | null }
  /** A question in the form of the channel: buttons, a list, or numbers. */
  | { kind: 'question'; text: string; options: { label: string; payload: string }[] }
  | {
      kind: 'template'
      template: string
      /** The language of the run; null when it is unknown. */
      runLanguage: string | null
      /** The language of the template when the run's language has no approved version. */
      language: string
      header: string | null
      body: { name: string; text: string }[]
      urlSuffixes: { index: number; text: string }[]
    }

/**
 * Sets a variable in `variables`, within the limits of a run. A text is cut at 4,096 characters, and a new variable
 * after the first 100 is left out, unless it is the status of a call.
 */
export function setVariable(variables: Variables, name: string, text: string | null): void {
  const isNew = !Object.hasOwn(variables, name)
  const isFull = Object.keys(variables).length >= RUN_LIMITS.variables
  if (isNew && isFull && name !== HTTP_STATUS_VARIABLE) return
  const value = text === null ? null : cutCodePoints(text, RUN_LIMITS.variableChars)
  // `defineProperty` also handles names that every object inherits, such as `__proto__`.
  Object.defineProperty(variables, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
