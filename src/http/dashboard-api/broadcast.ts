import { checkBroadcast } from '../../modules/broadcasts/check-broadcast.ts'
import {
  createBroadcast,
  deleteBroadcast,
  editBroadcast,
  sendFailedAgain,
} from '../../modules/broadcasts/edit-broadcast.ts'
import { listRecipients } from '../../modules/broadcasts/list-recipients.ts'
import { sendTest } from '../../modules/broadcasts/send-test.ts'
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from '../../modules/broadcasts/switch-broadcast.ts'
import { listBroadcasts, showBroadcast } from '../../modules/broadcasts/view-broadcast.ts'
import {
  CreateBroadcast,
  EditBroadcast,
  RecipientQuery,
  ResumeBroadcast,
  StartBroadcast,
  TestBroadcast,
} from '../../contract/dashboard/broadcast.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { BroadcastRoutes } from '../../contract/dashboard/routes/broadcast.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/broadcasts'
const ONE = `${ALL}/:broadcastId` as const

export const broadcastRoutes = routes<BroadcastRoutes>()
  .get(ALL, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listBroadcasts(context, { companyId, ...c.req.valid('query') }))
  })
  .post(ALL, inCompany('owner', 'admin'), body(CreateBroadcast), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createBroadcast(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(ONE, inCompany('owner', 'admin'), async (c) =>
    c.json(await showBroadcast(c.var.context, owned(c))),
  )
  .patch(ONE, inCompany('owner', 'admin'), body(EditBroadcast), async (c) => {
    const { context, actor } = c.var
    return c.json(await editBroadcast(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .delete(ONE, inCompany('owner', 'admin'), async (c) => {
    await deleteBroadcast(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${ONE}/check`, inCompany('owner', 'admin'), async (c) =>
    c.json(await checkBroadcast(c.var.context, owned(c))),
  )
  .post(`${ONE}/test`, inCompany('owner', 'admin'), body(TestBroadcast), async (c) => {
    const { context, actor } = c.var
    await sendTest(context, actor, { ...owned(c), ...c.req.valid('json') })
    return c.body(null, 202)
  })
  .post(`${ONE}/start`, inCompany('owner', 'admin'), body(StartBroadcast), async (c) => {
    const { context, actor } = c.var
    return c.json(await startBroadcast(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .post(`${ONE}/pause`, inCompany('owner', 'admin'), async (c) =>
    c.json(await pauseBroadcast(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${ONE}/resume`, inCompany('owner', 'admin'), body(ResumeBroadcast), async (c) => {
    const { context, actor } = c.var
    return c.json(await resumeBroadcast(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .post(`${ONE}/cancel`, inCompany('owner', 'admin'), async (c) =>
    c.json(await cancelBroadcast(c.var.context, c.var.actor, owned(c))),
  )
  .post(`${ONE}/send-failed-again`, inCompany('owner', 'admin'), async (c) =>
    c.json(await sendFailedAgain(c.var.context, c.var.actor, owned(c)), 201),
  )
  .get(`${ONE}/recipients`, inCompany('owner', 'admin'), query(RecipientQuery), async (c) =>
    c.json(await listRecipients(c.var.context, { ...owned(c), ...c.req.valid('query') })),
  )

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'broadcastId'): string | undefined }
}) {
  return { companyId: c.var.companyId, broadcastId: readId(c.req.param('broadcastId')) }
}
