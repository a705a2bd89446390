import { connectionFigures } from '../../modules/connections/connection-stats.ts'
import { createConnection } from '../../modules/connections/create-connection.ts'
import { deleteConnection } from '../../modules/connections/delete-connection.ts'
import { editConnection } from '../../modules/connections/edit-connection.ts'
import { listConnectionUsers } from '../../modules/connections/list-connection-users.ts'
import { switchConnection } from '../../modules/connections/switch-connection.ts'
import { testConnection } from '../../modules/connections/test-connection.ts'
import { listConnections, showConnection } from '../../modules/connections/view-connection.ts'
import {
  CreateConnection,
  EditConnection,
  TestConnection,
} from '../../contract/dashboard/connection.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ConnectionRoutes } from '../../contract/dashboard/routes/connection.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const CONNECTIONS = '/companies/:companyId/connections'
const CONNECTION = `${CONNECTIONS}/:connectionId` as const

export const connectionRoutes = routes<ConnectionRoutes>()
  .get(CONNECTIONS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listConnections(context, { companyId, ...c.req.valid('query') }))
  })
  .post(
    CONNECTIONS,
    inCompany('owner', 'admin'),

    body(CreateConnection),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      return c.json(await createConnection(context, actor, input), 201)
    },
  )
  .get('/companies/:companyId/connection-users', inCompany('owner', 'admin'), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listConnectionUsers(context, { companyId }))
  })
  .get('/companies/:companyId/connection-figures', inCompany('owner', 'admin'), async (c) => {
    const { context, companyId } = c.var
    return c.json(await connectionFigures(context, { companyId }))
  })
  .get(CONNECTION, inCompany('owner', 'admin'), async (c) =>
    c.json(await showConnection(c.var.context, owned(c))),
  )
  .patch(CONNECTION, inCompany('owner', 'admin'), body(EditConnection), async (c) => {
    const { context, actor } = c.var
    const input = c.req.valid('json')
    return c.json(await editConnection(context, actor, { ...owned(c), ...input }))
  })
  .delete(CONNECTION, inCompany('owner', 'admin'), async (c) => {
    await deleteConnection(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${CONNECTION}/switch-on`, inCompany('owner', 'admin'), async (c) =>
    c.json(await switchConnection(c.var.context, c.var.actor, { ...owned(c), isOn: true })),
  )
  .post(`${CONNECTION}/switch-off`, inCompany('owner', 'admin'), async (c) =>
    c.json(await switchConnection(c.var.context, c.var.actor, { ...owned(c), isOn: false })),
  )
  .post(`${CONNECTION}/test`, inCompany('owner', 'admin'), body(TestConnection), async (c) => {
    const { context, actor } = c.var
    return c.json(await testConnection(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'connectionId'): string | undefined }
}) {
  return { companyId: c.var.companyId, connectionId: readId(c.req.param('connectionId')) }
}
