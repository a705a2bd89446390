/** The secret links by which customers see and cancel their appointments. Spec: Appointments › The customer's link. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

const PREFIX = 'apt_'
const TOKEN_BYTES = 32

/** What is no token of ours is not looked up. */
export function isAppointmentToken(text: string): boolean {
  return /^apt_[A-Za-z0-9_-]{43}$/.test(text)
}

/**
 * Makes a link to each appointment, in one statement: by the id of the appointment. Each time that one is
 * told it is a new one, for no link is kept; the earlier ones stay good.
 */
export async function makeAppointmentLinks(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  appointments: readonly { id: string; companyId: string }[],
): Promise<Map<string, string>> {
  const made = appointments.map(({ id, companyId }) => ({
    id,
    companyId,
    token: `${PREFIX}${ids.token(TOKEN_BYTES)}`,
  }))
  if (made.length === 0) return new Map()
  await sql`
    insert into appointment_link (token_hash, company_id, appointment_id, created_at)
    select *, ${now} from unnest(${made.map(({ token }) => tokenHash(token))}::bytea[],
      ${made.map(({ companyId }) => companyId)}::uuid[], ${made.map(({ id }) => id)}::uuid[])`.execute(
    tx,
  )
  return new Map(made.map(({ id, token }) => [id, token]))
}
