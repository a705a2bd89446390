import { CreateFlow, EditFlow, SaveDraft, TestStep } from '../../contract/dashboard/flow.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { createFlow } from '../../flows/design/create-flow.ts'
import { deleteFlow } from '../../flows/design/delete-flow.ts'
import { editFlow } from '../../flows/design/edit-flow.ts'
import { checkDraft, publishFlow } from '../../flows/design/publish-flow.ts'
import { saveDraft } from '../../flows/design/save-draft.ts'
import { testCallStep } from '../../flows/design/test-call-step.ts'
import { listFlows, showFlow } from '../../flows/design/view-flow.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'

const FLOWS = '/companies/:companyId/flows'
const FLOW = `${FLOWS}/:flowId` as const

export const flowRoutes = routes()
  .get(FLOWS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await listFlows(context, actor, { companyId, ...c.req.valid('query') }))
  })
  .post(FLOWS, inCompany('owner', 'admin'), body(CreateFlow), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createFlow(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(FLOW, inCompany('owner', 'admin'), async (c) =>
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
  .put(`${FLOW}/draft`, inCompany('owner', 'admin'), body(SaveDraft), async (c) => {
    const { context, actor } = c.var
    return c.json(await saveDraft(context, actor, { ...owned(c), draft: c.req.valid('json') }))
  })
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

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'flowId'): string | undefined }
}) {
  return { companyId: c.var.companyId, flowId: readId(c.req.param('flowId')) }
}
