import type { Transaction } from 'kysely'
import type { Actor } from './actor.ts'
import type { DB } from '../../infra/database/tables.ts'
import { wrongFields } from '../../core/service-error.ts'
import { fact } from '../../core/facts/fact.ts'

/**
 * Holds people in the account until the transaction ends: nobody removes them meanwhile.
 * @throws invalid, by field, for those who are no members of it.
 */
export async function requirePeople(
  tx: Transaction<DB>,
  { accountId }: Pick<Actor, 'accountId'>,
  asked: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const ids = Object.values(asked).flat()
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
  const errors = Object.entries(asked)
    .filter(([, of]) => of.some((id) => !known.has(id)))
    .map(([field]) => ({ field, ...fact('not_a_member') }))
  if (errors.length > 0) throw wrongFields(errors)
}
