/**
 * The secret links with which customers view and cancel their appointments. Spec: Appointments › The customer's link.
 */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'

const PREFIX = 'apt_'
const TOKEN_BYTES = 32

/** Returns whether a text has the form of the token in a customer's link; other texts are not looked up. */
export function isAppointmentToken(text: string): boolean {
  return /^apt_[A-Za-z0-9_-]{43}$/.test(text)
}

/**
 * Creates secret links to the pages on which customers see appointments; returns their tokens by appointment id. Links
 * are stored as hashes, so that each notice needs a new one; earlier ones stay valid.
 */
export async function makeAppointmentLinks(
  tx: Transaction<DB>,
  { ids, now }: { ids: Ids; now: Date },
  appointments: readonly { id: string; companyId: string }[],
): Promise<Map<string, string>> {
  const created = appointments.map(({ id, companyId }) => ({
    id,
    companyId,
    token: `${PREFIX}${ids.cellToken(TOKEN_BYTES)}`,
  }))
  if (created.length === 0) return new Map()
  await sql`
    insert into appointment_link (token_hash, company_id, appointment_id, created_at)
    select *, ${now} from unnest(${created.map(({ token }) => tokenHash(token))}::bytea[],
      ${created.map(({ companyId }) => companyId)}::uuid[], ${created.map(({ id }) => id)}::uuid[])`.execute(
    tx,
  )
  return new Map(created.map(({ id, token }) => [id, token]))
}
