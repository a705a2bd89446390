import type { Context } from '../../infra/context.ts'
import { resolveMergedConversation } from '../../modules/identity/resolve-merged-conversation.ts'
import { suggestReply } from '../../modules/assistant/suggest-reply.ts'
import { showAnswering } from '../../modules/assistant/list-replies.ts'
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
import { NamedPageQuery } from '../../contract/dashboard/ordered-page.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ConversationRoutes } from '../../contract/dashboard/routes/conversation.ts'
import { EraseVisitor } from '../../contract/dashboard/site.ts'
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
import { eraseVisitor } from '../../modules/visitors/erase-visitor.ts'
import { admins, members } from './access.ts'
import { answer, answerAs, createdStatus, ofSurvivor, pathIds } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/conversations'
const ONE = `${ALL}/:conversationId` as const
const JOBS = '/companies/:companyId/close-jobs'
const NOTE = `${ONE}/notes/:noteId` as const
const JOB = `${JOBS}/:closeJobId` as const

export const conversationRoutes = routes<ConversationRoutes>()
  .get(ALL, members(), query(ConversationQuery), answerAs(listConversations))
  .post(
    ALL,
    members(),
    body(StartConversation),
    answerAs(startConversation, createdStatus, ofSurvivor),
  )
  .get(
    `${ALL}/counts`,
    members(),
    answerAs((context, actor, { companyId }) => countConversations(context, actor, companyId)),
  )
  .get(`${ALL}/channels`, members(), query(PageQuery), answer(listChannelNames))
  .post(
    `${ALL}/bulk-close`,
    members(),
    body(BulkClose),
    answerAs(closeConversations, ({ job }) => (job ? 202 : 200)),
  )
  .get(ONE, members(), answer(showConversation, 200, ofJoined))
  .get(
    `${ONE}/timeline`,
    members(),
    query(ConversationTimelineQuery),
    answer(
      (context, { companyId, conversationId, ...page }) =>
        listTimeline(context, { companyId, conversationId }, page),
      200,
      ofJoined,
    ),
  )
  .get(
    `${ONE}/answering`,
    members(),
    answerAs(
      (context, { accountId }, given) => showAnswering(context, { accountId, ...given }),
      200,
      ofJoined,
    ),
  )
  .post(`${ONE}/suggestion`, members(), async (c) =>
    c.json(
      await suggestReply(c.var.context, {
        ...(await ofJoined(c.var.context, pathIds(c, 'conversationId'))),
        signal: c.req.raw.signal,
      }),
    ),
  )
  .get(`${ONE}/templates`, members(), answer(listTemplatesToSend, 200, ofJoined))
  .get(`${ONE}/flows`, members(), answerAs(listFlowsToStart, 200, ofJoined))
  .post(`${ONE}/take-over`, members(), body(TakeOver), answerAs(takeOver, 200, ofJoined))
  .post(
    `${ONE}/assign`,
    members(),
    body(AssignConversation),
    answerAs(assignConversation, 200, ofJoined),
  )
  .post(`${ONE}/give-back`, members(), answerAs(giveBack, 200, ofJoined))
  .post(`${ONE}/resolve`, members(), answerAs(resolveConversation, 200, ofJoined))
  .post(`${ONE}/reopen`, members(), answerAs(reopenConversation, 200, ofJoined))
  .post(`${ONE}/seen`, members(), answer(markSeen, 204, ofJoined))
  .post(`${ONE}/erase-visitor`, admins(), body(EraseVisitor), answerAs(eraseVisitor, 204, ofJoined))
  .post(`${ONE}/messages`, members(), body(SendReply), answerAs(sendReply, createdStatus, ofJoined))
  .delete(`${ONE}/messages/:messageId`, members(), answerAs(cancelReply, 204, ofJoined))
  .post(`${ONE}/notes`, members(), body(WriteNote), answerAs(writeNote, 201, ofJoined))
  .patch(NOTE, members(), body(EditNote), answerAs(editNote, 200, ofJoined))
  .delete(NOTE, members(), answerAs(deleteNote, 204, ofJoined))
  .get('/companies/:companyId/people', members(), query(NamedPageQuery), answerAs(listPeople))
  .get(JOBS, admins(), query(PageQuery), answer(listCloseJobs))
  .get(
    JOB,
    admins(),
    answer((context, { companyId, closeJobId }) =>
      showCloseJob(context, { companyId, jobId: closeJobId }),
    ),
  )
  .post(
    `${JOB}/cancel`,
    admins(),
    answer((context, { companyId, closeJobId }) =>
      cancelCloseJob(context, { companyId, jobId: closeJobId }),
    ),
  )

/** Returns the input with the id of a merged conversation replaced by that of the one it has become part of. */
async function ofJoined<Input extends { companyId: string; conversationId: string }>(
  { db }: Pick<Context, 'db'>,
  input: Input,
): Promise<Input> {
  return { ...input, ...(await resolveMergedConversation(db.kysely, input)) }
}
