import type { Context } from '../../infra/context.ts'
import { joinedConversation } from '../../modules/identity/joined-conversation.ts'
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
import { admins, everybody } from './access.ts'
import { answer, answerAs, created, ofSurvivor, owned } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/conversations'
const ONE = `${ALL}/:conversationId` as const
const JOBS = '/companies/:companyId/close-jobs'
const NOTE = `${ONE}/notes/:noteId` as const
const JOB = `${JOBS}/:closeJobId` as const

export const conversationRoutes = routes<ConversationRoutes>()
  .get(ALL, everybody(), query(ConversationQuery), answerAs(listConversations))
  .post(ALL, everybody(), body(StartConversation), answerAs(startConversation, created, ofSurvivor))
  .get(
    `${ALL}/counts`,
    everybody(),
    answerAs((context, actor, { companyId }) => countConversations(context, actor, companyId)),
  )
  .get(
    `${ALL}/channels`,
    everybody(),
    answer((context, { companyId }) => listChannelNames(context, companyId)),
  )
  .post(
    `${ALL}/bulk-close`,
    everybody(),
    body(BulkClose),
    answerAs(closeConversations, ({ job }) => (job ? 202 : 200)),
  )
  .get(ONE, everybody(), answer(showConversation, 200, ofJoined))
  .get(
    `${ONE}/timeline`,
    everybody(),
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
    everybody(),
    answerAs(
      (context, { accountId }, given) => showAnswering(context, { accountId, ...given }),
      200,
      ofJoined,
    ),
  )
  .post(`${ONE}/suggestion`, everybody(), async (c) =>
    c.json(
      await suggestReply(c.var.context, {
        ...(await ofJoined(c.var.context, owned(c, 'conversationId'))),
        signal: c.req.raw.signal,
      }),
    ),
  )
  .get(`${ONE}/templates`, everybody(), answer(listTemplatesToSend, 200, ofJoined))
  .get(`${ONE}/flows`, everybody(), answerAs(listFlowsToStart, 200, ofJoined))
  .post(`${ONE}/take-over`, everybody(), body(TakeOver), answerAs(takeOver, 200, ofJoined))
  .post(
    `${ONE}/assign`,
    everybody(),
    body(AssignConversation),
    answerAs(assignConversation, 200, ofJoined),
  )
  .post(`${ONE}/give-back`, everybody(), answerAs(giveBack, 200, ofJoined))
  .post(`${ONE}/resolve`, everybody(), answerAs(resolveConversation, 200, ofJoined))
  .post(`${ONE}/reopen`, everybody(), answerAs(reopenConversation, 200, ofJoined))
  .post(`${ONE}/seen`, everybody(), answer(markSeen, 204, ofJoined))
  .post(`${ONE}/erase-visitor`, admins(), body(EraseVisitor), answerAs(eraseVisitor, 204, ofJoined))
  .post(`${ONE}/messages`, everybody(), body(SendReply), answerAs(sendReply, created, ofJoined))
  .delete(`${ONE}/messages/:messageId`, everybody(), answerAs(cancelReply, 204, ofJoined))
  .post(`${ONE}/notes`, everybody(), body(WriteNote), answerAs(writeNote, 201, ofJoined))
  .patch(NOTE, everybody(), body(EditNote), answerAs(editNote, 200, ofJoined))
  .delete(NOTE, everybody(), answerAs(deleteNote, 204, ofJoined))
  .get('/companies/:companyId/people', everybody(), answerAs(listPeople))
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

/** Replaces a conversation that has been merged by the one that it is part of now. */
async function ofJoined<Input extends { companyId: string; conversationId: string }>(
  { db }: Pick<Context, 'db'>,
  input: Input,
): Promise<Input> {
  return { ...input, ...(await joinedConversation(db.kysely, input)) }
}
