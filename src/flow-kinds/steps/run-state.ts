/** A run as the engine and its steps see it. */
import type { Fact } from '../../core/facts/fact.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'
import type { DayOffer } from '../../rules/appointments/offer-day.ts'
import type { FieldDesign } from '../../rules/contacts/field-value.ts'
import type { AnsweringMessage } from '../../rules/flows/read-answer.ts'
import type { OpeningHours } from '../../rules/flows/opening-hours.ts'
import { cutCodePoints } from '../../rules/text/json-text.ts'
import { HTTP_STATUS } from '../../core/vocabulary/flows.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { LeadTemperature } from '../../core/vocabulary/leads.ts'

export type Variables = Record<string, string | null>

export type RunState = {
  /** The step to do next, or the one under way; null when the run has reached its end. */
  stepId: string | null
  variables: Variables
  stepsSinceWait: number
  waits: number
  /** Calls made since the customer's last message, and the milliseconds that they took. */
  callsSinceReply: number
  callsSinceReplyMs: number
  /** Times in a row that the customer's message was no answer to the question of the step. */
  wrongAnswers: number
  /** The times that a step has offered last; null where it has offered none. */
  offered: OfferedTimes | null
  /** In which the run speaks; null where nobody has told. */
  language: string | null
}

/** The customer, as far as steps look at them. */
export type StepContact = {
  name: string | null
  phone: string | null
  email: string | null
  tags: readonly string[]
  fields: Readonly<Record<string, string | null>>
}

/** Where and when a run is. */
export type RunContext = {
  runId: string
  now: Date
  /** Of the company. */
  zone: string
  openingHours: OpeningHours | null
  /** ISO 3166-1 alpha-2, of the channel's number. */
  country: string | null
  /** A message that is no template may be sent now. */
  isWindowOpen: boolean
  /** Of the company's custom fields those that the flow sets, by key. */
  fields: ReadonlyMap<string, FieldDesign>
}

/** What a step does to the customer or the conversation: written with the turn. */
export type StepMutation =
  | {
      kind: 'edit_contact'
      addTags?: readonly string[]
      removeTags?: readonly string[]
      fields?: Readonly<Record<string, string | null>>
      language?: string
    }
  | { kind: 'note'; text: string }
  /** Null leaves what the lead has. */
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

/** Times of a day that the customer may take, in the order of their options. */
export type OfferedTimes = {
  zone: string
  /** The number of the first option: no two offers of a step have the same ones. */
  firstOption: number
  /** Instants in ISO. */
  starts: string[]
  moreFrom: string | null
  otherDayFrom: string | null
  /** The one that the customer took was gone. */
  isTaken: boolean
}

/** What a step has done within its turn, and cannot go on without knowing what came of it. */
export type InlineEffect =
  | { kind: 'find_times'; serviceId: string; resourceId: string | null; from: Date }
  | {
      kind: 'book'
      serviceId: string
      resourceId: string | null
      startsAt: Date
      /** In which the time was offered. */
      language: Language
    }
  /** `reference`: of the run's appointment; null: the customer's next one. */
  | { kind: 'cancel_appointment'; reference: string | null; reason: string | null }

export type InlineEffectOutcome =
  /** Null when nothing is free. */
  | { kind: 'times'; offer: (DayOffer & { zone: string }) | null }
  | { kind: 'booked'; values: Variables }
  | { kind: 'not_booked'; why: 'slot_taken' | 'too_many_appointments' | 'not_bookable' }
  | { kind: 'cancelled'; reference: string }
  | { kind: 'not_cancelled' }

/** What has happened to a run that is at a step. */
export type StepInput =
  | ({ kind: 'reply' } & AnsweringMessage)
  | { kind: 'timeout' }
  | { kind: 'sent' }
  | { kind: 'send_failed'; detail: Fact }
  | { kind: 'called'; call: CallOutcome }
  | { kind: 'effect_done'; outcome: InlineEffectOutcome }

/** What became of a call, as far as a run's way depends on it. */
export type CallOutcome = {
  isSuccess: boolean
  /** Of the answer; null when none came. */
  httpStatus: number | null
  /** By the names that the step keeps; empty of a call that failed. */
  kept: Variables
  /** Requests that went out, a repeated GET's both; 0 when the call was not made. */
  attempts: number
  durationMs: number
}

/** What a step sends, its placeholders filled in. */
export type SendContent =
  | { kind: 'text'; text: string }
  /** A file of the company. */
  | { kind: 'media'; fileId: string; caption: string | null }
  /** Offered as the channel can: as buttons, a list, or numbers. */
  | { kind: 'question'; text: string; options: { label: string; payload: string }[] }
  | {
      kind: 'template'
      template: string
      /** Of the run; null where nobody has told. */
      runLanguage: string | null
      /** Used when the run's language has no approved version. */
      language: string
      header: string | null
      body: { name: string; text: string }[]
      urlSuffixes: { index: number; text: string }[]
    }

/**
 * Keeps a run's variables bounded: at most 100 of them, each at most 4,096 characters. The status of a
 * call is always kept.
 */
export function setVariable(variables: Variables, name: string, text: string | null): void {
  const isNew = !Object.hasOwn(variables, name)
  const isFull = Object.keys(variables).length >= RUN_LIMITS.variables
  if (isNew && isFull && name !== HTTP_STATUS) return
  const value = text === null ? null : cutCodePoints(text, RUN_LIMITS.variableChars)
  // Defined, not assigned: a name may be one that every object of the language has.
  Object.defineProperty(variables, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
