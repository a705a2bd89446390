import { changeRole } from '../../modules/accounts/change-member.ts'
import {
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from '../../modules/accounts/invite-member.ts'
import { listMembers } from '../../modules/accounts/list-members.ts'
import { ChangeRole, InviteMember } from '../../contract/dashboard/member.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { MemberRoutes } from '../../contract/dashboard/routes/member.ts'
import { removeMemberAndUnassign } from '../../modules/inbox/remove-member.ts'
import { signedIn } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

export const memberRoutes = routes<MemberRoutes>()
  .get('/members', signedIn('owner', 'admin'), query(PageQuery), async (c) =>
    c.json(await listMembers(c.var.context, c.var.actor, c.req.valid('query'))),
  )
  .patch(
    '/members/:memberId',
    signedIn('owner', 'admin'),

    body(ChangeRole),
    async (c) => {
      const memberId = readId(c.req.param('memberId'))
      const input = { memberId, ...c.req.valid('json') }
      return c.json(await changeRole(c.var.context, c.var.actor, input))
    },
  )
  .delete('/members/:memberId', signedIn('owner', 'admin'), async (c) => {
    const memberId = readId(c.req.param('memberId'))
    await removeMemberAndUnassign(c.var.context, c.var.actor, { memberId })
    return c.body(null, 204)
  })
  .get('/invitations', signedIn('owner', 'admin'), query(PageQuery), async (c) =>
    c.json(await listInvitations(c.var.context, c.var.actor, c.req.valid('query'))),
  )
  .post(
    '/invitations',
    signedIn('owner', 'admin'),

    body(InviteMember),
    async (c) => c.json(await inviteMember(c.var.context, c.var.actor, c.req.valid('json')), 201),
  )
  .delete('/invitations/:invitationId', signedIn('owner', 'admin'), async (c) => {
    const invitationId = readId(c.req.param('invitationId'))
    await withdrawInvitation(c.var.context, c.var.actor, { invitationId })
    return c.body(null, 204)
  })
