import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type { Customer } from './plan-customer-resolution.ts'

/**
 * Returns the entries with customers identified by `@lid` (WhatsApp's hidden-number id) where their number has the
 * digits of a known one. The protocol of linked numbers also sends such ids as addresses of numbers. Other entries are
 * returned unchanged.
 *
 * Spec: Contacts › Who a customer is.
 */
export async function asKnownLids<Entry extends { customer: Customer }>(
  tx: Transaction<DB>,
  all: readonly Entry[],
): Promise<Entry[]> {
  const candidates = all.map(({ customer }) => customer).filter(isNumberOfLinked)
  if (candidates.length === 0) return [...all]
  const { rows } = await sql<{ companyId: string; key: string }>`
    select company_id, key from identifier
      join unnest(${candidates.map(({ company }) => company.id)}::uuid[],
        ${candidates.map(lidOf)}::text[]) as candidates (company_id, key) using (company_id, key)
    where kind = 'lid' and state <> 'left'`.execute(tx)
  const known = new Set(rows.map(({ companyId, key }) => `${companyId} ${key}`))
  return all.map((entry) => {
    const { customer } = entry
    const value = lidOf(customer)
    const isKnown = known.has(`${customer.company.id} ${value}`)
    if (!isKnown || !isNumberOfLinked(customer)) return entry
    const lid: Identifier = { kind: 'lid', key: value, value, filedUnder: value }
    const newContact = { ...customer.reported, phone: null, whatsappId: value }
    return { ...entry, customer: { ...customer, identifiers: [lid], reported: newContact } }
  })
}

/** Returns whether a customer on a linked number is known by a number alone. */
const isNumberOfLinked = ({ channel, identifiers: [first, ...others] }: Customer) =>
  channel.type === 'whatsapp_qr' && first.kind === 'number' && others.length === 0

const lidOf = ({ identifiers: [first] }: Customer) => `${first.value}@lid`
