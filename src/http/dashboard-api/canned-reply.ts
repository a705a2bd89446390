import { z } from 'zod'
import { CreateCannedReply, EditCannedReply } from '../../contract/dashboard/conversation.ts'
import {
  createCannedReply,
  deleteCannedReply,
  editCannedReply,
  listCannedReplies,
} from '../../inbox/canned-replies.ts'
import { INBOX_LIMITS } from '../../limits/inbox.ts'
import { inCompany } from './access.ts'
import { routes } from './env.ts'
import { body, query, readId } from './read-input.ts'

const ALL = '/companies/:companyId/canned-replies'
const ONE = `${ALL}/:cannedReplyId` as const

/** `conversationId`: fills them in for the customer of one. */
const Asked = z.object({
  conversationId: z.string().min(1).max(INBOX_LIMITS.conversationIdChars).optional(),
})

export const cannedReplyRoutes = routes()
  .get(ALL, inCompany('owner', 'admin', 'agent'), query(Asked), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listCannedReplies(context, { companyId, ...c.req.valid('query') }))
  })
  .post(ALL, inCompany('owner', 'admin', 'agent'), body(CreateCannedReply), async (c) => {
    const { context, actor, companyId } = c.var
    const made = await createCannedReply(context, actor, { companyId, ...c.req.valid('json') })
    return c.json(made, 201)
  })
  .patch(ONE, inCompany('owner', 'admin', 'agent'), body(EditCannedReply), async (c) => {
    const cannedReplyId = readId(c.req.param('cannedReplyId'))
    const input = { companyId: c.var.companyId, cannedReplyId, ...c.req.valid('json') }
    return c.json(await editCannedReply(c.var.context, input))
  })
  .delete(ONE, inCompany('owner', 'admin', 'agent'), async (c) => {
    const cannedReplyId = readId(c.req.param('cannedReplyId'))
    await deleteCannedReply(c.var.context, { companyId: c.var.companyId, cannedReplyId })
    return c.body(null, 204)
  })
