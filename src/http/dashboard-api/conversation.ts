import type { Context } from '../../infra/context.ts'
import { joinedConversation } from '../../modules/identity/joined-conversation.ts'
import type { Context as Hc } from 'hono'
import { suggestReply } from '../../modules/assistant/suggest-reply.ts'
import { showAnswering } from '../../modules/assistant/list-replies.ts'
import { survivorOf } from '../../modules/contacts/survivor-of.ts'
import {
  AssignConversation,
  BulkClose,
  ConversationQuery,
  ConversationTimelineQuery,
  EditNote,
  SendReply,
  StartConversation,
  TakeOver,
  WriteNote,
} from '../../contract/dashboard/conversation.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ConversationRoutes } from '../../contract/dashboard/routes/conversation.ts'
import { EraseVisitor } from '../../contract/dashboard/site.ts'
import { fact } from '../../core/facts/fact.ts'
import { cancelReply } from '../../modules/inbox/cancel-reply.ts'
import {
  assignConversation,
  giveBack,
  reopenConversation,
  resolveConversation,
  takeOver,
} from '../../modules/inbox/assignment.ts'
import { closeConversations } from '../../modules/inbox/close-conversations.ts'
import { cancelCloseJob, listCloseJobs, showCloseJob } from '../../modules/inbox/close-jobs.ts'
import { countConversations, listConversations } from '../../modules/inbox/list-conversations.ts'
import { listChannelNames } from '../../modules/inbox/list-channel-names.ts'
import { listPeople } from '../../modules/inbox/list-people.ts'
import { listTimeline } from '../../modules/inbox/list-timeline.ts'
import { listFlowsToStart, listTemplatesToSend } from '../../modules/inbox/list-to-send.ts'
import { markSeen } from '../../modules/inbox/mark-seen.ts'
import { deleteNote, editNote, writeNote } from '../../modules/inbox/notes.ts'
import { sendReply } from '../../modules/inbox/send-reply.ts'
import { startConversation } from '../../modules/inbox/start-conversation.ts'
import { showConversation } from '../../modules/inbox/view-composer.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { ServiceError } from '../../core/service-error.ts'
import { eraseVisitor } from '../../modules/visitors/erase-visitor.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/conversations'
const ONE = `${ALL}/:conversationId` as const
const JOBS = '/companies/:companyId/close-jobs'
const NOTE = `${ONE}/notes/:noteId` as const
const JOB = `${JOBS}/:closeJobId` as const

const everybody = () => inCompany('owner', 'admin', 'agent')

export const conversationRoutes = routes<ConversationRoutes>()
  .get(ALL, everybody(), query(ConversationQuery), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await listConversations(context, actor, { companyId, ...c.req.valid('query') }))
  })
  .post(ALL, everybody(), body(StartConversation), async (c) => {
    const { context, actor, companyId } = c.var
    const { contactId, ...input } = c.req.valid('json')
    const contact = await survivorOf(context.db.kysely, { companyId, contactId })
    const sent = await startConversation(context, actor, { ...input, ...contact })
    return c.json(sent, sent.isNew ? 201 : 200)
  })
  .get(`${ALL}/counts`, everybody(), async (c) =>
    c.json(await countConversations(c.var.context, c.var.actor, c.var.companyId)),
  )
  .get(`${ALL}/channels`, everybody(), async (c) =>
    c.json(await listChannelNames(c.var.context, c.var.companyId)),
  )
  .post(`${ALL}/bulk-close`, everybody(), body(BulkClose), async (c) => {
    const { context, actor, companyId } = c.var
    const closed = await closeConversations(context, actor, { companyId, ...c.req.valid('json') })
    return c.json(closed, closed.job ? 202 : 200)
  })
  .get(ONE, everybody(), async (c) => c.json(await showConversation(c.var.context, await owned(c))))
  .get(`${ONE}/timeline`, everybody(), query(ConversationTimelineQuery), async (c) =>
    c.json(await listTimeline(c.var.context, await owned(c), c.req.valid('query'))),
  )
  .get(`${ONE}/answering`, everybody(), async (c) => {
    const { context, actor } = c.var
    return c.json(await showAnswering(context, { accountId: actor.accountId, ...(await owned(c)) }))
  })
  .post(`${ONE}/suggestion`, everybody(), async (c) =>
    c.json(await suggestReply(c.var.context, { ...(await owned(c)), signal: c.req.raw.signal })),
  )
  .get(`${ONE}/templates`, everybody(), async (c) =>
    c.json(await listTemplatesToSend(c.var.context, await owned(c))),
  )
  .get(`${ONE}/flows`, everybody(), async (c) =>
    c.json(await listFlowsToStart(c.var.context, c.var.actor, await owned(c))),
  )
  .post(`${ONE}/take-over`, everybody(), body(TakeOver), async (c) =>
    c.json(
      await takeOver(c.var.context, c.var.actor, { ...(await owned(c)), ...c.req.valid('json') }),
    ),
  )
  .post(`${ONE}/assign`, everybody(), body(AssignConversation), async (c) => {
    const input = { ...(await owned(c)), ...c.req.valid('json') }
    return c.json(await assignConversation(c.var.context, c.var.actor, input))
  })
  .post(`${ONE}/give-back`, everybody(), async (c) =>
    c.json(await giveBack(c.var.context, c.var.actor, await owned(c))),
  )
  .post(`${ONE}/resolve`, everybody(), async (c) =>
    c.json(await resolveConversation(c.var.context, c.var.actor, await owned(c))),
  )
  .post(`${ONE}/reopen`, everybody(), async (c) =>
    c.json(await reopenConversation(c.var.context, c.var.actor, await owned(c))),
  )
  .post(`${ONE}/seen`, everybody(), async (c) => {
    await markSeen(c.var.context, await owned(c))
    return c.body(null, 204)
  })
  .post(`${ONE}/erase-visitor`, inCompany('owner', 'admin'), body(EraseVisitor), async (c) => {
    await eraseVisitor(c.var.context, c.var.actor, await owned(c))
    return c.body(null, 204)
  })
  .post(`${ONE}/messages`, everybody(), body(SendReply), async (c) => {
    const input = { ...(await owned(c)), ...c.req.valid('json') }
    const sent = await sendReply(c.var.context, c.var.actor, input)
    return c.json(sent, sent.isNew ? 201 : 200)
  })
  .delete(`${ONE}/messages/:messageId`, everybody(), async (c) => {
    const messageId = readText(c.req.param('messageId'), 'no_such_message')
    await cancelReply(c.var.context, c.var.actor, { ...(await owned(c)), messageId })
    return c.body(null, 204)
  })
  .post(`${ONE}/notes`, everybody(), body(WriteNote), async (c) => {
    const input = { ...(await owned(c)), ...c.req.valid('json') }
    return c.json(await writeNote(c.var.context, c.var.actor, input), 201)
  })
  .patch(NOTE, everybody(), body(EditNote), async (c) => {
    const noteId = readId(c.req.param('noteId'))
    const input = { ...(await owned(c)), noteId, ...c.req.valid('json') }
    return c.json(await editNote(c.var.context, c.var.actor, input))
  })
  .delete(NOTE, everybody(), async (c) => {
    const noteId = readId(c.req.param('noteId'))
    await deleteNote(c.var.context, c.var.actor, { ...(await owned(c)), noteId })
    return c.body(null, 204)
  })
  .get('/companies/:companyId/people', everybody(), async (c) =>
    c.json(await listPeople(c.var.context, c.var.actor)),
  )
  .get(JOBS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listCloseJobs(context, { companyId, ...c.req.valid('query') }))
  })
  .get(JOB, inCompany('owner', 'admin'), async (c) =>
    c.json(await showCloseJob(c.var.context, ownedJob(c))),
  )
  .post(`${JOB}/cancel`, inCompany('owner', 'admin'), async (c) =>
    c.json(await cancelCloseJob(c.var.context, ownedJob(c))),
  )

type InCompany = Pick<Hc, 'req'> & {
  var: { companyId: string; context: Pick<Context, 'db'> }
}

function owned(c: InCompany) {
  const conversationId = readText(c.req.param('conversationId'), 'no_such_conversation')
  const { companyId, context } = c.var
  return joinedConversation(context.db.kysely, { companyId, conversationId })
}

function ownedJob(c: InCompany) {
  return { companyId: c.var.companyId, jobId: readId(c.req.param('closeJobId')) }
}

/** Returns an opaque id of the path. @throws not_found when the text cannot be an id */
function readText(
  id: string | undefined,
  code: 'no_such_conversation' | 'no_such_message',
): string {
  const cannotBe =
    id === undefined || id.length > INBOX_LIMITS.conversationIdChars || id.includes('\0')
  if (cannotBe) throw new ServiceError('not_found', fact(code))
  return id
}
