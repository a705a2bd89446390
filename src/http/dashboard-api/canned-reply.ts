import {
  CannedReplyQuery,
  CreateCannedReply,
  EditCannedReply,
} from '../../contract/dashboard/conversation.ts'
import type { CannedReplyRoutes } from '../../contract/dashboard/routes/canned-reply.ts'
import {
  createCannedReply,
  deleteCannedReply,
  editCannedReply,
  listCannedReplies,
} from '../../modules/inbox/canned-replies.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/canned-replies'
const ONE = `${ALL}/:cannedReplyId` as const

export const cannedReplyRoutes = routes<CannedReplyRoutes>()
  .get(ALL, inCompany('owner', 'admin', 'agent'), query(CannedReplyQuery), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await listCannedReplies(context, actor, { companyId, ...c.req.valid('query') }))
  })
  .post(ALL, inCompany('owner', 'admin', 'agent'), body(CreateCannedReply), async (c) => {
    const { context, actor, companyId } = c.var
    const made = await createCannedReply(context, actor, { companyId, ...c.req.valid('json') })
    return c.json(made, 201)
  })
  .patch(ONE, inCompany('owner', 'admin', 'agent'), body(EditCannedReply), async (c) => {
    const cannedReplyId = readId(c.req.param('cannedReplyId'))
    const input = { companyId: c.var.companyId, cannedReplyId, ...c.req.valid('json') }
    return c.json(await editCannedReply(c.var.context, c.var.actor, input))
  })
  .delete(ONE, inCompany('owner', 'admin', 'agent'), async (c) => {
    const cannedReplyId = readId(c.req.param('cannedReplyId'))
    const { context, actor, companyId } = c.var
    await deleteCannedReply(context, actor, { companyId, cannedReplyId })
    return c.body(null, 204)
  })
