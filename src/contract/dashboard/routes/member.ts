import type {
  ChangeRole,
  InvitationView,
  InviteMember,
  MemberView,
  NewInvitation,
} from '../member.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface MemberRoutes {
  '/members': { get: Route<Page<MemberView>, { query: typeof PageQuery }> }
  '/members/:memberId': {
    patch: Route<MemberView, { json: typeof ChangeRole }>
    delete: Route<null>
  }
  '/invitations': {
    get: Route<Page<InvitationView>, { query: typeof PageQuery }>
    post: Route<NewInvitation, { json: typeof InviteMember }>
  }
  '/invitations/:invitationId': { delete: Route<null> }
}
