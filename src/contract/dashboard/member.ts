import { z } from 'zod'
import { ROLES, type Role } from '../../core/vocabulary/accounts.ts'
import { typedEmail } from '../../schemas/email-input.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const role = z.enum(ROLES)

export const InviteMember = z.strictObject({ email: typedEmail, role })
export type InviteMember = z.output<typeof InviteMember>

export const ChangeRole = z.strictObject({ role })
export type ChangeRole = z.output<typeof ChangeRole>

export type MemberView = {
  id: string
  personId: string
  email: string
  name: string | null
  role: Role
  createdAt: string
}

export type InvitationView = {
  id: string
  email: string
  role: Role
  /** The link was sent by e-mail and is shown to no member. */
  isMailed: boolean
  createdAt: string
  expiresAt: string
}

/** A new invitation. The token is null if it was mailed, so that the inviting member never sees it. */
export type NewInvitation = { invitation: InvitationView; token: string | null }

/** The invitation, as the invited person sees it before they accept. */
export type OpenInvitationView = {
  email: string
  role: Role
  accountName: string | null
  /** The value is false for a person with an account here, who accepts with their own password. */
  isNewPerson: boolean
  expiresAt: string
}

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
