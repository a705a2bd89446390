import type { CustomerRef, SendResult } from '../channels/channel-adapter.ts'
import type { Database } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Ids } from '../ids.ts'
import type { BegunSend } from './begin-sends.sql.ts'
import { addAliases } from './add-aliases.ts'
import { whatsappIdOf } from './contact.ts'
import { editContacts } from './edit-contacts.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'

/** The answer to a send may give its customer ids beyond the one that was dialled: they are kept. */
export async function learnIdsOfSend(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  deps: { ids: Ids; now: Date },
  { to, contactId, company }: BegunSend,
  result: SendResult,
): Promise<void> {
  const learnt = idsLearnt(to, result)
  if (!learnt || contactId === null) return
  await transaction(db, async (tx) => {
    const aliases = aliasesOf(learnt, '')
    await lockCustomer(tx, company.id, aliases)
    const contact = await tx
      .selectFrom('contact')
      .select('whatsappId')
      .where('id', '=', contactId)
      .where('companyId', '=', company.id)
      .executeTakeFirst()
    if (!contact) return
    await addAliases(tx, deps, company.id, contactId, aliases)
    if (contact.whatsappId !== null) return
    await editContacts(tx, deps, [{ company, contactId, whatsappId: whatsappIdOf(learnt) }])
  })
}

function idsLearnt(to: CustomerRef, result: SendResult): CustomerRef | null {
  if (result.outcome !== 'accepted' || !result.customer) return null
  const { number, businessScopedId } = result.customer
  const isNew =
    (number !== undefined && number !== to.number) ||
    (businessScopedId !== undefined && businessScopedId !== to.businessScopedId)
  return isNew ? result.customer : null
}
