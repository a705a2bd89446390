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
import { members } from './access.ts'
import { answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/canned-replies'
const ONE = `${ALL}/:cannedReplyId` as const

export const cannedReplyRoutes = routes<CannedReplyRoutes>()
  .get(ALL, members(), query(CannedReplyQuery), answerAs(listCannedReplies))
  .post(ALL, members(), body(CreateCannedReply), answerAs(createCannedReply, 201))
  .patch(ONE, members(), body(EditCannedReply), answerAs(editCannedReply))
  .delete(ONE, members(), answerAs(deleteCannedReply))
