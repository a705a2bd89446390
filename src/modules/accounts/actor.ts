import type { Role } from '../../core/vocabulary/accounts.ts'

/** The member who asks, in the account of the session. Every verb of a room is given one. */
export type Actor = {
  personId: string
  accountId: string
  role: Role
  name: string | null
  email: string
}
