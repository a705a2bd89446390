import type { Context } from '../../infra/context.ts'
import type { SendResult } from '../channels/channel-adapter.ts'
import type { CustomerRef } from '../channels/inbound.ts'
import type { Database } from '../../infra/database/connect.ts'
import { transaction } from '../../infra/database/transaction.ts'
import type { Ids } from '../../core/ids.ts'
import type { SendingMessage } from '../messaging/mark-sending.sql.ts'
import { identifiersOf, numberIdentifier } from '../../rules/identity/identifier.ts'
import { settleIdentity } from './settle-identity.ts'

/**
 * Takes in that the answer to a send gives its customer ids beyond the one that was dialled: they are one account.
 * Nobody becomes a contact by it, and one who was erased meanwhile gets none.
 */
export async function storeIdsFromSend(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  deps: { ids: Ids; now: Date; log: Context['log'] },
  { to, channel, company, scope }: SendingMessage,
  result: SendResult,
): Promise<void> {
  if (to === null || result.outcome !== 'accepted' || !result.customer) return
  const { number, businessScopedId } = result.customer
  const isNew =
    (number !== undefined && number !== to.number) ||
    (businessScopedId !== undefined && businessScopedId !== to.businessScopedId)
  if (!isNew) return
  const where = { type: channel.type, route: '' }
  await transaction(db, async (tx) => {
    await settleIdentity(tx, deps, company, {
      type: 'answer',
      before: isAnother(number, to.number) ? [numberIdentifier(to.number!)] : [],
      now: identifiersOf(together(to, result.customer!), where),
      scope,
      at: deps.now,
    })
  })
}

/** The answer names a number that is no other form of the line that was dialled. */
function isAnother(told: string | undefined, dialled: string | undefined): boolean {
  if (told === undefined || dialled === undefined) return false
  return numberIdentifier(told).key !== numberIdentifier(dialled).key
}

/** The ids that were dialled and those that the answer names, as one customer has them. */
function together(to: CustomerRef, told: CustomerRef): CustomerRef {
  const { number, businessScopedId, parentBusinessScopedId } = told
  return {
    ...to,
    ...(number !== undefined && { number }),
    ...(businessScopedId !== undefined && { businessScopedId }),
    ...(parentBusinessScopedId !== undefined && { parentBusinessScopedId }),
  }
}
