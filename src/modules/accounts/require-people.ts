import type { Transaction } from 'kysely'
import type { Actor } from './actor.ts'
import type { DB } from '../../infra/database/tables.ts'
import { wrongFields } from '../../core/service-error.ts'
import { fact } from '../../core/facts/fact.ts'

/**
 * Locks people's memberships until the transaction ends, so that they are not removed meanwhile.
 * @throws invalid, by field, for people who are not members of the account.
 */
export async function requirePeople(
  tx: Transaction<DB>,
  { accountId }: Pick<Actor, 'accountId'>,
  people: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const ids = Object.values(people).flat()
  if (ids.length === 0) return
  const members = await tx
    .selectFrom('member')
    .select('personId')
    .where('accountId', '=', accountId)
    .where('personId', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(members.map(({ personId }) => personId))
  const errors = Object.entries(people)
    .filter(([, of]) => of.some((id) => !known.has(id)))
    .map(([field]) => ({ field, ...fact('not_a_member') }))
  if (errors.length > 0) throw wrongFields(errors)
}
