import {
  CreateFlow,
  EditFlow,
  SaveDraft,
  SaveDraftQuery,
  TestStep,
  type FlowRoutes,
} from '../../contract/dashboard/flow.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { createFlow } from '../../modules/flows/design/create-flow.ts'
import { deleteFlow } from '../../modules/flows/delete-flow.ts'
import { editFlow } from '../../modules/flows/design/edit-flow.ts'
import { checkDraft, publishFlow } from '../../modules/flows/design/publish-flow.ts'
import { saveDraft } from '../../modules/flows/design/save-draft.ts'
import { testCallStep } from '../../modules/flows/design/test-call-step.ts'
import { listVersions, showVersion } from '../../modules/flows/design/list-versions.ts'
import { listFlows, showFlow } from '../../modules/flows/design/view-flow.ts'
import { countSteps } from '../../modules/flows/runs/count-steps.sql.ts'
import { admins, members } from './access.ts'
import { answer, answerAs, pathIds } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const FLOWS = '/companies/:companyId/flows'
const FLOW = `${FLOWS}/:flowId` as const

export const flowRoutes = routes<FlowRoutes>()
  .get(FLOWS, members(), query(PageQuery), answerAs(listFlows))
  .post(FLOWS, admins(), body(CreateFlow), answerAs(createFlow, 201))
  .get(
    FLOW,
    members(),
    answerAs((context, actor, flow) => showFlow(context.db.kysely, actor, flow)),
  )
  .patch(FLOW, admins(), body(EditFlow), answerAs(editFlow))
  .delete(FLOW, admins(), answerAs(deleteFlow))
  .put(`${FLOW}/draft`, admins(), query(SaveDraftQuery), body(SaveDraft), async (c) => {
    const { context, actor } = c.var
    const draft = { draft: c.req.valid('json'), ...c.req.valid('query') }
    return c.json(await saveDraft(context, actor, { ...pathIds(c, 'flowId'), ...draft }))
  })
  .get(`${FLOW}/versions`, members(), query(PageQuery), answer(listVersions))
  .get(`${FLOW}/versions/:number`, members(), async (c) => {
    const number = readNumber(c.req.param('number'))
    return c.json(await showVersion(c.var.context, { ...pathIds(c, 'flowId'), number }))
  })
  .get(`${FLOW}/steps/counts`, admins(), answer(countSteps))
  .get(`${FLOW}/draft/check`, admins(), answerAs(checkDraft))
  .post(`${FLOW}/publish`, admins(), answerAs(publishFlow))
  .post(`${FLOW}/steps/:stepId/test`, admins(), body(TestStep), async (c) => {
    const { context, actor } = c.var
    const step = { ...pathIds(c, 'flowId'), stepId: c.req.param('stepId'), ...c.req.valid('json') }
    return c.json(await testCallStep(context, actor, step))
  })

/** Returns the version number of a path, and 0, which no version has, when it is not a number. */
function readNumber(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}
