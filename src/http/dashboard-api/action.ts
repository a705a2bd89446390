import { createAction } from '../../modules/connections/create-action.ts'
import { deleteAction } from '../../modules/connections/delete-action.ts'
import { editAction } from '../../modules/connections/edit-action.ts'
import { testAction } from '../../modules/connections/test-action.ts'
import { listActions, showAction } from '../../modules/connections/view-action.ts'
import { CreateAction, EditAction, TestAction } from '../../contract/dashboard/action.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ActionRoutes } from '../../contract/dashboard/routes/action.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ACTIONS = '/companies/:companyId/actions'
const ACTION = `${ACTIONS}/:actionId` as const

export const actionRoutes = routes<ActionRoutes>()
  .get(ACTIONS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listActions(context, { companyId, ...c.req.valid('query') }))
  })
  .post(ACTIONS, inCompany('owner', 'admin'), body(CreateAction), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createAction(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(ACTION, inCompany('owner', 'admin'), async (c) =>
    c.json(await showAction(c.var.context.db.kysely, owned(c))),
  )
  .patch(ACTION, inCompany('owner', 'admin'), body(EditAction), async (c) =>
    c.json(await editAction(c.var.context, c.var.actor, { ...owned(c), ...c.req.valid('json') })),
  )
  .delete(ACTION, inCompany('owner', 'admin'), async (c) => {
    await deleteAction(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${ACTION}/test`, inCompany('owner', 'admin'), body(TestAction), async (c) =>
    c.json(await testAction(c.var.context, c.var.actor, { ...owned(c), ...c.req.valid('json') })),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'actionId'): string | undefined }
}) {
  return { companyId: c.var.companyId, actionId: readId(c.req.param('actionId')) }
}
