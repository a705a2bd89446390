import { DeliveryQuery, SendTest } from '../../contract/dashboard/delivery.ts'
import { listDeliveries } from '../../deliveries/list-deliveries.ts'
import { resendDelivery } from '../../deliveries/resend-delivery.ts'
import { sendTest } from '../../deliveries/send-test.ts'
import { showDelivery } from '../../deliveries/show-delivery.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'

const DELIVERIES = '/companies/:companyId/deliveries'
const DELIVERY = `${DELIVERIES}/:deliveryId` as const

export const deliveryRoutes = routes()
  .get(DELIVERIES, inCompany('owner', 'admin'), query(DeliveryQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listDeliveries(context, { companyId, ...c.req.valid('query') }))
  })
  .get(DELIVERY, inCompany('owner', 'admin'), async (c) =>
    c.json(await showDelivery(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${DELIVERY}/resend`, inCompany('owner', 'admin'), async (c) =>
    c.json(await resendDelivery(c.var.context, c.var.actor, owned(c)), 201),
  )
  .post(
    '/companies/:companyId/endpoints/:endpointId/tests',
    inCompany('owner', 'admin'),
    body(SendTest),
    async (c) => {
      const { context, actor, companyId } = c.var
      const endpointId = readId(c.req.param('endpointId'))
      const test = { companyId, endpointId, ...c.req.valid('json') }
      return c.json(await sendTest(context, actor, test), 201)
    },
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'deliveryId'): string | undefined }
}) {
  return { companyId: c.var.companyId, deliveryId: readId(c.req.param('deliveryId')) }
}
