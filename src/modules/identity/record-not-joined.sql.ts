import type { Context } from '../../infra/context.ts'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type {
  IdentityFact,
  IdentityChanges,
  StoredIdentity,
} from '../../rules/identity/identity-changes.ts'

type Conflict = {
  fact: IdentityFact
  known: readonly StoredIdentity[]
  tooMany: IdentityChanges['tooMany']
}

/**
 * Records, once per pair of contacts, that a provider shows them as one customer but that a limit prevents the merge,
 * so that a member decides. Logs a warning for new records, and when one identity would get too many identifiers.
 *
 * Isolation: the caller has locked all identifiers concerned.
 */
export async function recordNotJoined(
  tx: Transaction<DB>,
  { ids, log }: { ids: Ids; log: Context['log'] },
  companyId: string,
  { fact, known, tooMany }: Conflict,
): Promise<void> {
  const contactOf = (identityId: string) => known.find(({ id }) => id === identityId)!.contactId
  const pairs = tooMany.flatMap(({ into, from }) => {
    if (from === null) return []
    const [contactId, other] = [contactOf(into), contactOf(from)]
    return contactId === other ? [] : [{ contactId, identityId: into, other }]
  })
  const { rows } = await sql`
    insert into identity_change (id, company_id, contact_id, identity_id, what, detail, at)
    select id, ${companyId}, contact_id, identity_id, 'not_joined',
      jsonb_build_object('by', ${fact.type}::text, 'with', other), ${fact.at}
    from unnest(${pairs.map(() => ids.uuid())}::uuid[],
      ${pairs.map(({ contactId }) => contactId)}::uuid[],
      ${pairs.map(({ identityId }) => identityId)}::uuid[],
      ${pairs.map(({ other }) => other)}::text[]) as input (id, contact_id, identity_id, other)
    where not exists (select from identity_change noted where noted.contact_id = input.contact_id
      and noted.what = 'not_joined' and noted.detail ->> 'with' = input.other)
    returning id`.execute(tx)
  const isFull = tooMany.some(({ from }) => from === null)
  if (rows.length === 0 && !isFull) return
  log.warn(
    { companyId, fact: fact.type, identities: tooMany.length + 1, pairs: rows.length },
    'provider shows too many accounts as one customer: none joined',
  )
}
