import type { Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { EditMe, MeView } from '../../contract/dashboard/me.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Digits, TimeShown } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Actor } from './actor.ts'
import { auditedTransaction } from './audited-transaction.ts'

/** Returns the signed-in person, with their own settings. */
export async function showPerson(
  db: Kysely<DB>,
  { personId }: Pick<Actor, 'personId'>,
): Promise<MeView> {
  const person = await db
    .selectFrom('person')
    .select(['id', 'email', 'name', 'language', 'digits', 'timeShown'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  return {
    ...person,
    language: person.language as Language | null,
    digits: person.digits as Digits,
    timeShown: person.timeShown as TimeShown,
  }
}

/** Changes a person's own settings, which apply in every account. A new name is audited. */
export async function editPerson(
  { db, ids, clock }: Context,
  actor: Actor,
  change: EditMe,
): Promise<MeView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const before = await showPerson(tx, actor)
    if (Object.keys(change).length === 0) return before
    await tx.updateTable('person').set(change).where('id', '=', actor.personId).execute()
    if (change.name !== undefined && change.name !== before.name) {
      await audit('person.renamed', { id: actor.personId }, { from: before.name, to: change.name })
    }
    return showPerson(tx, actor)
  })
}
