/** Contacts of people who type a number or an e-mail address: on the booking page or in a form on a website. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { contradicts } from '../../rules/contacts/match-import-row.ts'
import { numberIdentifier } from '../../rules/identity/identifier.ts'
import { findContactsOfNumbers } from './find-contacts-of-numbers.ts'
import { lockCustomer, advisoryLockKey, takeAdvisoryLocks } from './lock-customer.ts'

/** The contact details that a person typed. */
type Typed = {
  /** E.164. */
  phone: string | null
  /** A number without a country. */
  rawPhone: string | null
  email: string | null
}

/**
 * Returns the id of the contact with a typed phone number, else of the only one with the typed e-mail address. Without
 * a complete number, returns the only contact with the e-mail address, unless it has numbers and none of them ends in
 * the typed digits. Returns null when no contact fits.
 *
 * Isolation: the caller has locked the input by `lockTyped`.
 */
export async function findContactOfTyped(
  tx: Transaction<DB>,
  companyId: string,
  { phone, rawPhone, email }: Typed,
): Promise<string | null> {
  if (phone !== null) {
    return (await findContactsOfNumbers(tx, companyId, [phone])).get(phone) ?? null
  }
  if (email === null) return null
  const { rows } = await sql<{ id: string; rawPhone: string | null; numbers: string[] }>`
    select id, raw_phone,
      array(select key from identity join identifier on identifier.identity_id = identity.id
        where identity.contact_id = contact.id and kind = 'number' and state <> 'left') as numbers
    from contact where company_id = ${companyId} and lower(email) = lower(${email}) limit 2`.execute(
    tx,
  )
  const [only] = rows
  if (only === undefined || rows.length > 1) return null
  return rawPhone !== null && contradicts(rawPhone, only) ? null : only.id
}

/**
 * Locks a typed phone number, or without one the e-mail address, until the transaction ends, so that two concurrent
 * requests create one contact.
 */
export async function lockTyped(
  tx: Transaction<DB>,
  companyId: string,
  { phone, email }: Pick<Typed, 'phone' | 'email'>,
): Promise<void> {
  if (phone !== null) await lockCustomer(tx, companyId, [numberIdentifier(phone.slice(1))])
  else if (email !== null) {
    await takeAdvisoryLocks(tx, [
      advisoryLockKey(`contact of an e-mail|${companyId}|${email.toLowerCase()}`),
    ])
  }
}
