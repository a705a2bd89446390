import {
  DeliveryQuery,
  DeliverySearch,
  ExportDeliveries,
  SendTest,
  ViewsQuery,
  type DeliveryRoutes,
} from '../../contract/dashboard/delivery.ts'
import { countDeliveries, countViews } from '../../modules/deliveries/count-deliveries.sql.ts'
import { exportDeliveries } from '../../modules/deliveries/export-deliveries.ts'
import { listDeliveries } from '../../modules/deliveries/list-deliveries.ts'
import { resendDelivery } from '../../modules/deliveries/resend-delivery.ts'
import { sendTestEvent } from '../../modules/deliveries/send-test-event.ts'
import { showDelivery } from '../../modules/deliveries/show-delivery.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'
import { streamFile } from './stream-file.ts'

const DELIVERIES = '/companies/:companyId/deliveries'
const DELIVERY = `${DELIVERIES}/:deliveryId` as const

export const deliveryRoutes = routes<DeliveryRoutes>()
  .get(DELIVERIES, admins(), query(DeliveryQuery), answer(listDeliveries))
  .get(`${DELIVERIES}/count`, admins(), query(DeliverySearch), answer(countDeliveries))
  .get(`${DELIVERIES}/views`, admins(), query(ViewsQuery), answer(countViews))
  .post('/companies/:companyId/delivery-exports', admins(), body(ExportDeliveries), async (c) => {
    const { context, actor, companyId } = c.var
    const input = { companyId, ...c.req.valid('json') }
    const parts = await exportDeliveries(context, actor, input)
    return streamFile(c, parts, FILES[input.format])
  })
  .get(DELIVERY, admins(), answerAs(showDelivery))
  .post(`${DELIVERY}/resend`, admins(), answerAs(resendDelivery, 201))
  .post(
    '/companies/:companyId/endpoints/:endpointId/tests',
    admins(),
    body(SendTest),
    answerAs(sendTestEvent, 201),
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
