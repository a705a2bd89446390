import {
  CreateResendJob,
  PreviewResendJob,
  ResendJobQuery,
} from '../../contract/dashboard/resend-job.ts'
import type { ResendJobRoutes } from '../../contract/dashboard/routes/resend-job.ts'
import { createResendJob, previewResendJob } from '../../modules/deliveries/create-resend-job.ts'
import {
  cancelResendJob,
  pauseResendJob,
  resumeResendJob,
} from '../../modules/deliveries/switch-resend-job.ts'
import { listResendJobs, showResendJob } from '../../modules/deliveries/view-resend-job.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const JOBS = '/companies/:companyId/resend-jobs'
const JOB = `${JOBS}/:jobId` as const

export const resendJobRoutes = routes<ResendJobRoutes>()
  .get(JOBS, inCompany('owner', 'admin'), query(ResendJobQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listResendJobs(context, { companyId, ...c.req.valid('query') }))
  })
  .post(`${JOBS}/preview`, inCompany('owner', 'admin'), body(PreviewResendJob), async (c) => {
    const { context, companyId } = c.var
    return c.json(await previewResendJob(context, { companyId, ...c.req.valid('json') }))
  })
  .post(JOBS, inCompany('owner', 'admin'), body(CreateResendJob), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createResendJob(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(JOB, inCompany('owner', 'admin'), async (c) =>
    c.json(await showResendJob(c.var.context, owned(c))),
  )
  .post(`${JOB}/pause`, inCompany('owner', 'admin'), async (c) =>
    c.json(await pauseResendJob(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${JOB}/resume`, inCompany('owner', 'admin'), async (c) =>
    c.json(await resumeResendJob(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${JOB}/cancel`, inCompany('owner', 'admin'), async (c) =>
    c.json(await cancelResendJob(c.var.context, c.var.actor, owned(c))),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'jobId'): string | undefined }
}) {
  return { companyId: c.var.companyId, jobId: readId(c.req.param('jobId')) }
}
