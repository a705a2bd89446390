import type { Page } from '../page.ts'
import type {
  CreateResendJob,
  JobCount,
  PreviewResendJob,
  ResendJobDetail,
  ResendJobQuery,
  ResendJobView,
} from '../resend-job.ts'
import type { Route } from './route.ts'

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
