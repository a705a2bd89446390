import { z } from 'zod'
import type { CallFailure, CallMethod } from '../../core/vocabulary/calls.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'
import {
  RUN_STATUSES,
  type EndReason,
  type RunStatus,
  type TriggerKind,
} from '../../core/vocabulary/flows.ts'
import { RUN_LIMITS } from '../../core/limits/flows.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { fact } from '../../core/facts/fact.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { limitEntries } from '../../schemas/limit-entries.ts'
import { variableName } from '../../schemas/flow-names.ts'
import { orderedPageQuery } from './ordered-page.ts'
import { PageQuery, type Page } from './page.ts'
import { countryOfPhone, writtenPhone } from './phone.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { timeInput } from '../../schemas/time-input.ts'
import type { Route } from './route.ts'

/** A page of runs, newest first. */
export const RunQuery = PageQuery.extend({
  flowId: uuidInput.optional(),
  contactId: uuidInput.optional(),
  status: z.enum(RUN_STATUSES).optional(),
  /** The customer's number with its country code, in any form. */
  phone: z.string().max(LOG_LIMITS.phoneChars).optional(),
  /** The customer's name, number in any form, e-mail address or id. */
  q: z.string().trim().min(1).max(INBOX_LIMITS.searchChars).optional(),
  /** Runs that began at or after this time. */
  from: timeInput.optional(),
  /** Runs that began before this time. */
  to: timeInput.optional(),
})
export type RunQuery = z.output<typeof RunQuery>

/** A run to start for one customer: a contact, or the customer with this number. */
export const StartRun = z
  .strictObject({
    contactId: uuidInput.optional(),
    phone: writtenPhone.optional(),
    country: countryOfPhone,
    variables: limitEntries(
      z.record(
        variableName,
        z.string().max(RUN_LIMITS.variableChars).transform(cleanText).nullable(),
      ),
      { max: RUN_LIMITS.variables, unit: 'variables' },
    ).default({}),
    /** The same key starts the flow once. */
    key: formText(1, HOOK_LIMITS.idempotencyKeyChars).optional(),
  })
  .refine(({ contactId, phone }) => (contactId === undefined) !== (phone === undefined), {
    path: ['contactId'],
    ...failsWith(fact('contact_or_phone')),
  })
export type StartRun = z.output<typeof StartRun>

/** A run that was started. `isNew` is false if an earlier request with the same key started it. */
export type StartedRun = { id: string; isNew: boolean }

export type RunView = {
  id: string
  flow: { id: string; name: string }
  versionNumber: number
  triggerKind: TriggerKind
  status: RunStatus
  endReason: EndReason | null
  /** The reason why the run ended, was skipped or was cancelled. */
  endDetail: LocalizedFact | null
  contact: { id: string; name: string | null; phone: string | null } | null
  conversationId: string
  language: string | null
  createdAt: string
  endedAt: string | null
}

/** A message that a step sent, with its latest receipt. */
export type RunMessage = {
  id: string
  type: string
  text: string | null
  templateName: string | null
  templateLanguage: string | null
  status: SentMessageStatus
  errorCode: string | null
  errorDetail: LocalizedFact | null
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failedAt: string | null
}

/** A call of a step to the merchant's API, as far as it is stored. */
export type RunCall = {
  method: CallMethod
  /** Null when nothing was sent. */
  host: string | null
  /** The path without the query. A path with missing values is the template; after an erasure it is empty. */
  path: string
  /** The status of the last answer; null if none came. */
  httpStatus: number | null
  durationMs: number
  /** Number of requests that were sent; 0 if the call was not made. */
  attempts: number
  failure: CallFailure | null
  /** The variables that the answer gave a value. */
  kept: string[]
}

export type RunStepView = {
  number: number
  stepId: string
  kind: string
  status: 'started' | 'done' | 'failed' | 'interrupted'
  detail: LocalizedFact | null
  startedAt: string
  endedAt: string | null
  message: RunMessage | null
  /** The call is null before its first request, and for a step without calls. */
  call: RunCall | null
}

export type RunDetail = RunView & {
  channelId: string
  idempotencyKey: string | null
  variables: Record<string, string | null>
  /** The step that it waits at or does next; null once it has ended. */
  stepId: string | null
  waitsFor: 'reply' | 'time' | 'sent' | null
  waitsUntil: string | null
  /** The customer's messages to the run, in order. */
  replies: { messageId: string; type: string; text: string | null; receivedAt: string }[]
}

/** A query for the steps of a run, in order. */
export const RunStepQuery = orderedPageQuery(z.string().regex(/^\d{1,9}$/))
export type RunStepQuery = z.output<typeof RunStepQuery>

export interface RunRoutes {
  '/companies/:companyId/runs': { get: Route<Page<RunView>, { query: typeof RunQuery }> }
  '/companies/:companyId/runs/:runId': { get: Route<RunDetail> }
  '/companies/:companyId/runs/:runId/steps': {
    get: Route<Page<RunStepView>, { query: typeof RunStepQuery }>
  }
  '/companies/:companyId/runs/:runId/cancel': { post: Route<null> }
  '/companies/:companyId/flows/:flowId/test-runs': {
    post: Route<StartedRun, { json: typeof StartRun }>
  }
  '/companies/:companyId/flows/:flowId/runs': { post: Route<StartedRun, { json: typeof StartRun }> }
}
