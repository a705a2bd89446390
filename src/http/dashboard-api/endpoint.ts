import { CreateEndpoint, EditEndpoint, HealthQuery } from '../../contract/dashboard/endpoint.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { EndpointRoutes } from '../../contract/dashboard/routes/endpoint.ts'
import { deleteEndpoint } from '../../modules/endpoints/delete-endpoint.ts'
import { editEndpoint } from '../../modules/endpoints/edit-endpoint.ts'
import { showEndpointHealth } from '../../modules/endpoints/endpoint-health.ts'
import { registerEndpoint } from '../../modules/endpoints/register-endpoint.ts'
import { retireOldSecret, rotateSecret } from '../../modules/endpoints/rotate-secret.ts'
import { switchEndpointOff, switchEndpointOn } from '../../modules/endpoints/switch-endpoint.ts'
import { listEndpoints, showEndpoint } from '../../modules/endpoints/view-endpoint.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ENDPOINTS = '/companies/:companyId/endpoints'
const ENDPOINT = `${ENDPOINTS}/:endpointId` as const

export const endpointRoutes = routes<EndpointRoutes>()
  .get(ENDPOINTS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listEndpoints(context, { companyId, ...c.req.valid('query') }))
  })
  .post(
    ENDPOINTS,
    inCompany('owner', 'admin'),

    body(CreateEndpoint),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      return c.json(await registerEndpoint(context, actor, input), 201)
    },
  )
  .get(ENDPOINT, inCompany('owner', 'admin'), async (c) => {
    const { context } = c.var
    return c.json(await showEndpoint(context.db.kysely, context, owned(c)))
  })
  .patch(ENDPOINT, inCompany('owner', 'admin'), body(EditEndpoint), async (c) => {
    const { context, actor } = c.var
    const input = c.req.valid('json')
    return c.json(await editEndpoint(context, actor, { ...owned(c), ...input }))
  })
  .delete(ENDPOINT, inCompany('owner', 'admin'), async (c) => {
    await deleteEndpoint(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${ENDPOINT}/switch-on`, inCompany('owner', 'admin'), async (c) =>
    c.json(await switchEndpointOn(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${ENDPOINT}/switch-off`, inCompany('owner', 'admin'), async (c) => {
    return c.json(await switchEndpointOff(c.var.context, c.var.actor, owned(c)))
  })
  .get(`${ENDPOINT}/health`, inCompany('owner', 'admin'), query(HealthQuery), async (c) =>
    c.json(await showEndpointHealth(c.var.context, { ...owned(c), ...c.req.valid('query') })),
  )
  .post(`${ENDPOINT}/secret/rotate`, inCompany('owner', 'admin'), async (c) =>
    c.json(await rotateSecret(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${ENDPOINT}/secret/retire-old`, inCompany('owner', 'admin'), async (c) =>
    c.json(await retireOldSecret(c.var.context, c.var.actor, owned(c))),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'endpointId'): string | undefined }
}) {
  return { companyId: c.var.companyId, endpointId: readId(c.req.param('endpointId')) }
}
