import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Enquiry } from '../../contract/enquiry.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ENQUIRY_LIMITS } from '../../core/limits/visitors.ts'
import { findContactOfTyped, lockTyped } from '../messaging/find-contact-of-typed.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import { readWrittenPhone } from '../messaging/read-written-phone.ts'
import { insertNewIdentifiers } from '../messaging/write-resolved.sql.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { wrongField } from '../../core/service-error.ts'
import { ingestOnWebsite, type IngestMessage } from './send-visitor-message.ts'
import type { Site } from './site.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { ingest: IngestMessage }

/**
 * Ingests a submission of the web form as a message of a customer. The sender is the contact with that number, if its
 * country is known, or else the only contact with that e-mail address, or else a new contact. Forms are open to anyone:
 * an enquiry changes no existing contact, and its text is in a conversation of the form only. A robot's enquiry gets
 * the same answer and is not stored.
 * @throws invalid; not_found if the form was just deleted
 * Spec: Channels › The website's form.
 */
export async function ingestEnquiry(
  context: Deps,
  site: Site,
  { leadId, page, submittedAt, openedAt, fields }: Enquiry,
): Promise<{ id: string }> {
  const now = context.clock.now()
  const id = leadId ?? context.ids.uuid()
  if (fields.homepage) return { id }
  const { name, email, phone, message } = fields
  if (!email && !phone) throw wrongField('fields.email', fact('enquiry_reach_needed'))
  if (openedAt && isTooQuick(now.getTime() - openedAt.getTime())) {
    throw wrongField('openedAt', fact('enquiry_too_quick'))
  }
  const { phone: number, rawPhone } = phone
    ? readWrittenPhone(phone, null)
    : { phone: null, rawPhone: null }
  const isBelieved = submittedAt && now.getTime() - submittedAt.getTime() < ENQUIRY_LIMITS.oldestMs
  const typed = { phone: number, rawPhone, email: email ?? null }
  const providerUserId = await identifyEnquirer(context, site, typed, id)
  await ingestOnWebsite(context.ingest, site.channel, {
    kind: 'message',
    route: site.channel.route,
    providerMessageId: id,
    customer: {
      providerUserId,
      ...(number !== null ? { number: number.slice(1) } : {}),
      ...(name ? { profileName: name } : {}),
      ...(email ? { email } : {}),
      ...(rawPhone ? { rawPhone } : {}),
    },
    type: 'text',
    text: message,
    ...(page ? { page } : {}),
    at: isBelieved ? submittedAt : null,
  })
  return { id }
}

/** A form that opened in the future comes from a browser with a fast clock, so its duration is unknown. */
const isTooQuick = (tookMs: number) => tookMs >= 0 && tookMs < ENQUIRY_LIMITS.minMs

type Typed = Parameters<typeof findContactOfTyped>[2]

/**
 * Returns the identifier of an enquirer on this form: the number or e-mail address that they typed. From now on it
 * identifies the contact that has it on this form only. It proves nothing, and identifies no account elsewhere.
 */
async function identifyEnquirer(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { channel: { companyId, route } }: Site,
  typed: Typed,
  enquiryId: string,
): Promise<string> {
  const { phone, email } = typed
  const name = phone === null ? email?.toLowerCase() : numberIdentifier(phone.slice(1)).key
  if (name === undefined) return `enquiry-${enquiryId}`
  const key = `${route}:${name}`
  return transaction(db, async (tx) => {
    await lockTyped(tx, companyId, typed)
    await lockCustomer(tx, companyId, [{ kind: 'form', key }])
    const contactId = await findContactOfTyped(tx, companyId, typed)
    const known = await contactOfForm(tx, companyId, key)
    // A typed e-mail address leads to the contact that had it then, a number to its current contact.
    if (known !== null && phone === null) {
      return typed.rawPhone === null || known === contactId ? name : `enquiry-${enquiryId}`
    }
    if (known === contactId) return name
    await sql`update identifier set state = 'left', changed_at = ${clock.now()}
      where company_id = ${companyId} and kind = 'form' and key = ${key} and state <> 'left'`.execute(
      tx,
    )
    if (contactId === null) return name
    const identityId = ids.uuid()
    await tx
      .insertInto('identity')
      .values({ id: identityId, companyId, contactId, createdAt: clock.now() })
      .execute()
    const row = { companyId, identityId, kind: 'form', key, value: key, scope: null } as const
    await insertNewIdentifiers([{ ...row, proof: 'form', shownAt: null }], clock.now()).execute(tx)
    return name
  })
}

async function contactOfForm(
  tx: Transaction<DB>,
  companyId: string,
  key: string,
): Promise<string | null> {
  const { rows } = await sql<{ contactId: string }>`
    select identity.contact_id from identifier join identity on identity.id = identifier.identity_id
    where identifier.company_id = ${companyId} and kind = 'form' and key = ${key}
      and state <> 'left'`.execute(tx)
  return rows[0]?.contactId ?? null
}
