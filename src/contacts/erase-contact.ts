import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadCompany } from '../accounts/load-company.ts'
import { memberChange } from '../accounts/member-change.ts'
import type { Context } from '../context.ts'
import type { ContactView } from '../contract/dashboard/contact.ts'
import type { DB } from '../database/tables.ts'
import { fact } from '../facts/fact.ts'
import { dropFilesOfContacts } from '../files/drop-files.ts'
import { cancelRuns } from '../flows/runs/cancel-runs.sql.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { cancelReplies } from '../messaging/cancel-replies.sql.ts'
import { editContacts } from '../messaging/edit-contacts.ts'
import { lockConversations } from '../messaging/lock-conversations.sql.ts'
import { lockCustomer, type Alias } from '../messaging/lock-customer.ts'
import { holdContacts } from '../messaging/look-up-customers.sql.ts'
import { emptyContact } from './empty-contact.sql.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

const SALT_BYTES = 32

/**
 * Empties a contact for good, because a member says so: what is known of it, the words and files of its
 * messages, and what its runs have gathered. Rows stay, so that counts do. Its runs end in silence. One that
 * was opted out is remembered by hashes of its ids alone, and whoever comes by one of them is opted out.
 *
 * Isolation: the contact's ids are locked, then its row, its conversations and its runs: who writes by one
 * of the ids at the same time is met before, and erased too, or after, as somebody new.
 *
 * @throws not_found
 * Spec: Contacts › Erasing.
 */
export async function eraseContact(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedContact,
): Promise<ContactView> {
  const { companyId, contactId } = owned
  const now = clock.now()
  return memberChange({ db, ids, now }, actor, async (tx, audit) => {
    const { id, name } = await loadCompany(tx, actor, companyId)
    const { contact, aliases, conversationIds } = await lock(tx, owned)
    await remember(tx, contact, aliases, ids.token(SALT_BYTES))
    await cancelRuns(tx, now, { conversationIds }, fact('run_contact_erased'))
    await cancelReplies(tx, now, { conversationIds }, fact('reply_contact_erased'))
    await dropFilesOfContacts(tx, now, { companyId, contactIds: [contactId] })
    await emptyContact(tx, now, { ...owned, conversationIds })
    const edited = await editContacts(tx, { ids, now }, [
      {
        company: { id, name },
        contactId,
        name: null,
        phone: null,
        rawPhone: null,
        whatsappId: null,
        email: null,
        language: null,
        removeTags: contact.tags,
        fields: Object.fromEntries(Object.keys(contact.fields).map((key) => [key, null])),
      },
    ])
    await audit('contact.erased', { kind: 'contact', id: contactId, companyId })
    return viewContact(edited.get(contactId)!.contact, await readArchivedKeys(tx, companyId))
  })
}

async function lock(tx: Transaction<DB>, owned: OwnedContact) {
  const { companyId, contactId } = owned
  await lockCustomer(tx, companyId, await readIds(tx, owned))
  await holdContacts([contactId]).execute(tx)
  const conversations = await tx
    .selectFrom('conversation')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', '=', contactId)
    .execute()
  const conversationIds = conversations.map((conversation) => conversation.id)
  await lockConversations(tx, { ids: conversationIds, customers: [] })
  // Once more: whoever was waited for may have brought another id.
  const aliases = await readIds(tx, owned)
  return { contact: await requireContact(tx, owned), aliases, conversationIds }
}

async function readIds(tx: Transaction<DB>, owned: OwnedContact): Promise<Alias[]> {
  const { companyId, contactId } = owned
  const { phone } = await requireContact(tx, owned)
  const aliases = (await tx
    .selectFrom('contactAlias')
    .select(['kind', 'value'])
    .where('companyId', '=', companyId)
    .where('contactId', '=', contactId)
    .execute()) as Alias[]
  return phone === null ? aliases : [...aliases, { kind: 'number', value: phone.slice(1) }]
}

/** The newest word counts of what contacts with an id have said before they were erased. */
async function remember(
  tx: Transaction<DB>,
  { companyId, optedOutAt, optOutWordAt }: ContactRow,
  aliases: readonly Alias[],
  salt: string,
): Promise<void> {
  if (optedOutAt !== null) {
    await sql`update company set opt_out_salt = ${salt}
      where id = ${companyId} and opt_out_salt is null`.execute(tx)
  }
  const hashes = sql`select distinct opt_out_hash(${companyId}, kind, value)
    from unnest(${aliases.map(({ kind }) => kind)}::text[],
      ${aliases.map(({ value }) => value)}::text[]) as id (kind, value)`
  await sql`delete from opt_out_memory where company_id = ${companyId}
    and id_hash in (${hashes})`.execute(tx)
  if (optedOutAt === null) return
  await sql`insert into opt_out_memory (company_id, id_hash, word_at)
    select ${companyId}, hash, ${optOutWordAt ?? optedOutAt} from (${hashes}) as told (hash)`.execute(
    tx,
  )
}
