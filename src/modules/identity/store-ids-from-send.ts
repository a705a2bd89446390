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
 * Stores the ids in a provider's response to a send as ids of the customer addressed, which may merge contacts. It never
 * creates a contact, and an erased contact gets no ids.
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
  const channelRef = { type: channel.type, route: '' }
  await transaction(db, async (tx) => {
    await settleIdentity(tx, deps, company, {
      type: 'answer',
      before: isAnother(number, to.number) ? [numberIdentifier(to.number!)] : [],
      now: identifiersOf(mergeRefs(to, result.customer!), channelRef),
      scope,
      at: deps.now,
    })
  })
}

/** Returns whether the response has another number than the dialled one, not just another form of it. */
function isAnother(returned: string | undefined, dialled: string | undefined): boolean {
  if (returned === undefined || dialled === undefined) return false
  return numberIdentifier(returned).key !== numberIdentifier(dialled).key
}

/** Returns the ids of the address and of the response together. */
function mergeRefs(to: CustomerRef, returned: CustomerRef): CustomerRef {
  const { number, businessScopedId, parentBusinessScopedId } = returned
  return {
    ...to,
    ...(number !== undefined && { number }),
    ...(businessScopedId !== undefined && { businessScopedId }),
    ...(parentBusinessScopedId !== undefined && { parentBusinessScopedId }),
  }
}
