import {
  DeliveryQuery,
  DeliverySearch,
  ExportDeliveries,
  SendTest,
  ViewsQuery,
} from '../../contract/dashboard/delivery.ts'
import type { DeliveryRoutes } from '../../contract/dashboard/routes/delivery.ts'
import { countDeliveries, countViews } from '../../modules/deliveries/count-deliveries.sql.ts'
import { exportDeliveries } from '../../modules/deliveries/export-deliveries.ts'
import { listDeliveries } from '../../modules/deliveries/list-deliveries.ts'
import { resendDelivery } from '../../modules/deliveries/resend-delivery.ts'
import { sendTest } from '../../modules/deliveries/send-test.ts'
import { showDelivery } from '../../modules/deliveries/show-delivery.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'
import { streamFile } from './stream-file.ts'

const DELIVERIES = '/companies/:companyId/deliveries'
const DELIVERY = `${DELIVERIES}/:deliveryId` as const

export const deliveryRoutes = routes<DeliveryRoutes>()
  .get(DELIVERIES, inCompany('owner', 'admin'), query(DeliveryQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listDeliveries(context, { companyId, ...c.req.valid('query') }))
  })
  .get(`${DELIVERIES}/count`, inCompany('owner', 'admin'), query(DeliverySearch), async (c) => {
    const { context, companyId } = c.var
    return c.json(await countDeliveries(context, { companyId, ...c.req.valid('query') }))
  })
  .get(`${DELIVERIES}/views`, inCompany('owner', 'admin'), query(ViewsQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await countViews(context, { companyId, ...c.req.valid('query') }))
  })
  .post(
    '/companies/:companyId/delivery-exports',
    inCompany('owner', 'admin'),
    body(ExportDeliveries),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      const parts = await exportDeliveries(context, actor, input)
      return streamFile(c, parts, FILES[input.format])
    },
  )
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

const FILES = {
  csv: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="deliveries.csv"',
  },
  ndjson: {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="deliveries.ndjson"',
  },
}

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'deliveryId'): string | undefined }
}) {
  return { companyId: c.var.companyId, deliveryId: readId(c.req.param('deliveryId')) }
}
