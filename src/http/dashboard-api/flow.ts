import {
  CreateFlow,
  EditFlow,
  SaveDraft,
  SaveDraftQuery,
  TestStep,
} from '../../contract/dashboard/flow.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { FlowRoutes } from '../../contract/dashboard/routes/flow.ts'
import { createFlow } from '../../modules/flows/design/create-flow.ts'
import { deleteFlow } from '../../modules/flows/delete-flow.ts'
import { editFlow } from '../../modules/flows/design/edit-flow.ts'
import { checkDraft, publishFlow } from '../../modules/flows/design/publish-flow.ts'
import { saveDraft } from '../../modules/flows/design/save-draft.ts'
import { testCallStep } from '../../modules/flows/design/test-call-step.ts'
import { listVersions, showVersion } from '../../modules/flows/design/list-versions.ts'
import { listFlows, showFlow } from '../../modules/flows/design/view-flow.ts'
import { countSteps } from '../../modules/flows/runs/count-steps.sql.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const FLOWS = '/companies/:companyId/flows'
const FLOW = `${FLOWS}/:flowId` as const

/** All members see the flows; owners and admins change them. */
const everybody = () => inCompany('owner', 'admin', 'agent')

export const flowRoutes = routes<FlowRoutes>()
  .get(FLOWS, everybody(), query(PageQuery), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await listFlows(context, actor, { companyId, ...c.req.valid('query') }))
  })
  .post(FLOWS, inCompany('owner', 'admin'), body(CreateFlow), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createFlow(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(FLOW, everybody(), async (c) =>
    c.json(await showFlow(c.var.context.db.kysely, c.var.actor, owned(c))),
  )
  .patch(FLOW, inCompany('owner', 'admin'), body(EditFlow), async (c) => {
    const { context, actor } = c.var
    return c.json(await editFlow(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .delete(FLOW, inCompany('owner', 'admin'), async (c) => {
    await deleteFlow(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .put(
    `${FLOW}/draft`,
    inCompany('owner', 'admin'),
    query(SaveDraftQuery),
    body(SaveDraft),
    async (c) => {
      const { context, actor } = c.var
      const draft = { draft: c.req.valid('json'), ...c.req.valid('query') }
      return c.json(await saveDraft(context, actor, { ...owned(c), ...draft }))
    },
  )
  .get(`${FLOW}/versions`, everybody(), query(PageQuery), async (c) =>
    c.json(await listVersions(c.var.context, { ...owned(c), ...c.req.valid('query') })),
  )
  .get(`${FLOW}/versions/:number`, everybody(), async (c) => {
    const number = readNumber(c.req.param('number'))
    return c.json(await showVersion(c.var.context, { ...owned(c), number }))
  })
  .get(`${FLOW}/steps/counts`, inCompany('owner', 'admin'), async (c) =>
    c.json(await countSteps(c.var.context, owned(c))),
  )
  .get(`${FLOW}/draft/check`, inCompany('owner', 'admin'), async (c) =>
    c.json(await checkDraft(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${FLOW}/publish`, inCompany('owner', 'admin'), async (c) =>
    c.json(await publishFlow(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${FLOW}/steps/:stepId/test`, inCompany('owner', 'admin'), body(TestStep), async (c) => {
    const { context, actor } = c.var
    const step = { ...owned(c), stepId: c.req.param('stepId'), ...c.req.valid('json') }
    return c.json(await testCallStep(context, actor, step))
  })

/** Returns the version number of a path, and 0, which no version has, when it is not a number. */
function readNumber(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
}

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'flowId'): string | undefined }
}) {
  return { companyId: c.var.companyId, flowId: readId(c.req.param('flowId')) }
}
