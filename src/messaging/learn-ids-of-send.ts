import type { CustomerRef, SendResult } from '../channels/channel-adapter.ts'
import type { Database } from '../database/connect.ts'
import { transaction } from '../database/transaction.ts'
import type { Ids } from '../ids.ts'
import type { BegunSend } from './begin-sends.sql.ts'
import { addAliases } from './add-aliases.ts'
import { whatsappIdOf } from './contact.ts'
import { editContacts } from './edit-contacts.ts'
import { ERASED_TALK } from './erased-talk.ts'
import { aliasesOf, lockCustomer } from './lock-customer.ts'

/**
 * The answer to a send may give its customer ids beyond the one that was dialled: they are kept, unless the contact
 * was erased meanwhile, and is to have none.
 *
 * Isolation: the id that was dialled is locked too, as whoever erases the contact does.
 */
export async function learnIdsOfSend(
  db: Pick<Database, 'kysely' | 'afterCommit'>,
  deps: { ids: Ids; now: Date },
  { to, contactId, conversationId, company }: BegunSend,
  result: SendResult,
): Promise<void> {
  const learnt = idsLearnt(to, result)
  if (!learnt || contactId === null) return
  await transaction(db, async (tx) => {
    const aliases = aliasesOf(learnt, '')
    await lockCustomer(tx, company.id, [...aliasesOf(to, ''), ...aliases])
    const contact = await tx
      .selectFrom('contact')
      .innerJoin('conversation', 'conversation.contactId', 'contact.id')
      .select(['contact.whatsappId', 'conversation.mergedFrom'])
      .where('contact.id', '=', contactId)
      .where('contact.companyId', '=', company.id)
      .where('conversation.id', '=', conversationId)
      .where('conversation.filedUnder', 'not like', `${ERASED_TALK}%`)
      .executeTakeFirst()
    if (!contact) return
    const { mergedFrom } = contact
    await addAliases(tx, deps, company.id, { contactId, mergedFrom }, aliases)
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
