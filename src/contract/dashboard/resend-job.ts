import { z } from 'zod'
import { RESEND_JOB } from '../../core/limits/deliveries.ts'
import type {
  ResendJobKind,
  ResendJobReason,
  ResendJobState,
} from '../../core/vocabulary/deliveries.ts'
import { JobFilter } from './delivery.ts'
import { PageQuery, type Page } from './page.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Route } from './route.ts'

const pace = z
  .number()
  .int()
  .min(RESEND_JOB.minPace)
  .max(RESEND_JOB.maxPace)
  .default(RESEND_JOB.paceDefault)

/**
 * A resend job to create. `resend` makes a new delivery of each match; `held` releases deliveries that were held while
 * the endpoint was off. `pace` is in deliveries per second.
 */
export const CreateResendJob = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('resend'),
    endpointId: uuidInput,
    filter: JobFilter.default({}),
    pace,
  }),
  z.strictObject({ kind: z.literal('held'), endpointId: uuidInput, pace }),
])
export type CreateResendJob = z.output<typeof CreateResendJob>

/** A resend job that is only counted. */
export const PreviewResendJob = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('resend'),
    endpointId: uuidInput,
    filter: JobFilter.default({}),
  }),
  z.strictObject({ kind: z.literal('held'), endpointId: uuidInput }),
])
export type PreviewResendJob = z.output<typeof PreviewResendJob>

export const ResendJobQuery = PageQuery.extend({ endpointId: uuidInput.optional() })
export type ResendJobQuery = z.output<typeof ResendJobQuery>

/** A number that is counted up to a limit. `isAtLeast` says that there may be more. */
export type JobCount = { count: number; isAtLeast: boolean }

export type ResendJobView = {
  id: string
  endpoint: { id: string; name: string }
  kind: ResendJobKind
  filter: JobFilter
  pace: number
  state: ResendJobState
  /** The reason for a pause or cancellation. */
  reason: { code: ResendJobReason; message: LocalizedFact } | null
  /** Number of deliveries that matched at the job's creation. */
  matched: JobCount
  /** Number of deliveries that the job has created or released. */
  made: number
  /** Deliveries whose body is no longer stored. */
  passedOver: number
  createdAt: string
  endedAt: string | null
}

export type ResendJobDetail = ResendJobView & {
  /** Outcomes so far of the deliveries that the job has sent. */
  delivered: JobCount
  failed: JobCount
  underWay: JobCount
  /** Number of deliveries that the job has not yet sent. */
  left: JobCount
}

export interface ResendJobRoutes {
  '/companies/:companyId/resend-jobs': {
    get: Route<Page<ResendJobView>, { query: typeof ResendJobQuery }>
    post: Route<ResendJobDetail, { json: typeof CreateResendJob }>
  }
  '/companies/:companyId/resend-jobs/preview': {
    post: Route<JobCount, { json: typeof PreviewResendJob }>
  }
  '/companies/:companyId/resend-jobs/:jobId': { get: Route<ResendJobDetail> }
  '/companies/:companyId/resend-jobs/:jobId/pause': { post: Route<ResendJobDetail> }
  '/companies/:companyId/resend-jobs/:jobId/resume': { post: Route<ResendJobDetail> }
  '/companies/:companyId/resend-jobs/:jobId/cancel': { post: Route<ResendJobDetail> }
}
