import { z } from 'zod'
import { CALL_SOURCES, type CallFailure, type CallMethod } from '../../core/vocabulary/calls.ts'
import { PageQuery, type Page } from './page.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { timeInput } from '../../schemas/time-input.ts'
import type { Route } from './route.ts'

/** A page of the log of calls, newest first. */
export const CallQuery = PageQuery.extend({
  connectionId: uuidInput.optional(),
  source: z.enum(CALL_SOURCES).optional(),
  outcome: z.enum(['success', 'failed']).optional(),
  /** The HTTP status of the answer, such as 404. */
  status: z.coerce.number().int().min(LOG_LIMITS.minStatus).max(LOG_LIMITS.maxStatus).optional(),
  runId: uuidInput.optional(),
  actionId: uuidInput.optional(),
  /** Calls that began at or after this time. */
  from: timeInput.optional(),
  /** Calls that began before this time. */
  to: timeInput.optional(),
})
export type CallQuery = z.output<typeof CallQuery>

/** One attempt of a call. Queries, headers, bodies and credentials are not stored. */
export type CallView = {
  id: string
  connection: { id: string; name: string; isDeleted: boolean }
  source:
    | { kind: 'step'; runId: string; stepId: string }
    | { kind: 'action'; actionId: string; conversationId: string | null }
    | { kind: 'test'; personId: string }
  method: CallMethod
  host: string
  path: string
  /** The second attempt of a GET. */
  isRepeat: boolean
  httpStatus: number | null
  /** Null for a success. */
  failure: CallFailure | null
  durationMs: number
  startedAt: string
}

export interface CallLogRoutes {
  '/companies/:companyId/calls': { get: Route<Page<CallView>, { query: typeof CallQuery }> }
}
