import {
  CreateResendJob,
  PreviewResendJob,
  ResendJobQuery,
  type ResendJobRoutes,
} from '../../contract/dashboard/resend-job.ts'
import { createResendJob, previewResendJob } from '../../modules/deliveries/create-resend-job.ts'
import {
  cancelResendJob,
  pauseResendJob,
  resumeResendJob,
} from '../../modules/deliveries/switch-resend-job.ts'
import { listResendJobs, showResendJob } from '../../modules/deliveries/view-resend-job.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const JOBS = '/companies/:companyId/resend-jobs'
const JOB = `${JOBS}/:jobId` as const

export const resendJobRoutes = routes<ResendJobRoutes>()
  .get(JOBS, admins(), query(ResendJobQuery), answer(listResendJobs))
  .post(`${JOBS}/preview`, admins(), body(PreviewResendJob), answer(previewResendJob))
  .post(JOBS, admins(), body(CreateResendJob), answerAs(createResendJob, 201))
  .get(JOB, admins(), answer(showResendJob))
  .post(`${JOB}/pause`, admins(), answerAs(pauseResendJob))
  .post(`${JOB}/resume`, admins(), answerAs(resumeResendJob))
  .post(`${JOB}/cancel`, admins(), answerAs(cancelResendJob))
