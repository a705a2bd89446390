import { checkBroadcast } from '../../modules/broadcasts/check-broadcast.ts'
import {
  createBroadcast,
  deleteBroadcast,
  editBroadcast,
  createDraftForFailed,
} from '../../modules/broadcasts/edit-broadcast.ts'
import { listRecipients } from '../../modules/broadcasts/list-recipients.ts'
import { sendTestBroadcast } from '../../modules/broadcasts/send-test-broadcast.ts'
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
  type BroadcastRoutes,
} from '../../contract/dashboard/broadcast.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { admins } from './access.ts'
import { answer, answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const ALL = '/companies/:companyId/broadcasts'
const ONE = `${ALL}/:broadcastId` as const

export const broadcastRoutes = routes<BroadcastRoutes>()
  .get(ALL, admins(), query(PageQuery), answer(listBroadcasts))
  .post(ALL, admins(), body(CreateBroadcast), answerAs(createBroadcast, 201))
  .get(ONE, admins(), answer(showBroadcast))
  .patch(ONE, admins(), body(EditBroadcast), answerAs(editBroadcast))
  .delete(ONE, admins(), answerAs(deleteBroadcast))
  .post(`${ONE}/check`, admins(), answer(checkBroadcast))
  .post(`${ONE}/test`, admins(), body(TestBroadcast), answerAs(sendTestBroadcast, 202))
  .post(`${ONE}/start`, admins(), body(StartBroadcast), answerAs(startBroadcast))
  .post(`${ONE}/pause`, admins(), answerAs(pauseBroadcast))
  .post(`${ONE}/resume`, admins(), body(ResumeBroadcast), answerAs(resumeBroadcast))
  .post(`${ONE}/cancel`, admins(), answerAs(cancelBroadcast))
  .post(`${ONE}/send-failed-again`, admins(), answerAs(createDraftForFailed, 201))
  .get(`${ONE}/recipients`, admins(), query(RecipientQuery), answer(listRecipients))
