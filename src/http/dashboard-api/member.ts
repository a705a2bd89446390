import { changeRole } from '../../modules/accounts/change-member.ts'
import {
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from '../../modules/accounts/invite-member.ts'
import { listMembers } from '../../modules/accounts/list-members.ts'
import { ChangeRole, InviteMember, type MemberRoutes } from '../../contract/dashboard/member.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { removeMemberAndUnassign } from '../../modules/inbox/remove-member.ts'
import { signedIn } from './access.ts'
import { answerAs } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

export const memberRoutes = routes<MemberRoutes>()
  .get('/members', signedIn('owner', 'admin'), query(PageQuery), answerAs(listMembers))
  .patch('/members/:memberId', signedIn('owner', 'admin'), body(ChangeRole), answerAs(changeRole))
  .delete('/members/:memberId', signedIn('owner', 'admin'), answerAs(removeMemberAndUnassign))
  .get('/invitations', signedIn('owner', 'admin'), query(PageQuery), answerAs(listInvitations))
  .post('/invitations', signedIn('owner', 'admin'), body(InviteMember), answerAs(inviteMember, 201))
  .delete('/invitations/:invitationId', signedIn('owner', 'admin'), answerAs(withdrawInvitation))
