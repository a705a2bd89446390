import type { Role } from '../../core/vocabulary/accounts.ts'

/** The member who uses a session, in the session's account. Every use case of a member takes one. */
export type Actor = {
  personId: string
  accountId: string
  role: Role
  name: string | null
  email: string
}
