import { RunQuery, RunStepQuery, StartRun, type RunRoutes } from '../../contract/dashboard/run.ts'
import { cancelRun } from '../../modules/flows/runs/cancel-run.ts'
import { listRuns } from '../../modules/flows/runs/list-runs.ts'
import { listRunSteps } from '../../modules/flows/runs/list-run-steps.ts'
import { showRun } from '../../modules/flows/runs/show-run.ts'
import { startRunByHand } from '../../modules/flows/runs/start-run-by-hand.ts'
import { admins, members } from './access.ts'
import { answer, answerAs, createdStatus, ofSurvivor } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

export const runRoutes = routes<RunRoutes>()
  .get('/companies/:companyId/runs', admins(), query(RunQuery), answer(listRuns, 200, ofSurvivor))
  .get('/companies/:companyId/runs/:runId', admins(), answer(showRun))
  .get(
    '/companies/:companyId/runs/:runId/steps',
    admins(),
    query(RunStepQuery),
    answer(listRunSteps),
  )
  .post('/companies/:companyId/runs/:runId/cancel', members(), answerAs(cancelRun))
  .post(
    '/companies/:companyId/flows/:flowId/test-runs',
    admins(),
    body(StartRun),
    answerAs(
      (context, actor, { companyId, flowId, ...input }) =>
        startRunByHand(context, actor, { companyId, flowId, isTest: true }, input),
      createdStatus,
      ofSurvivor,
    ),
  )
  .post(
    '/companies/:companyId/flows/:flowId/runs',
    members(),
    body(StartRun),
    answerAs(
      (context, actor, { companyId, flowId, ...input }) =>
        startRunByHand(context, actor, { companyId, flowId }, input),
      createdStatus,
      ofSurvivor,
    ),
  )
