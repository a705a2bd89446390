import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type { Customer } from './plan-customer-resolution.ts'

/**
 * Returns what is told of customers of a linked number, of whom a number alone is told, by their `@lid` where its digits are those of a
 * known one: the protocol tells such ids under addresses of numbers too. Others come back as they are.
 *
 * Spec: Contacts › Who a customer is.
 */
export async function asKnownLids<Told extends { customer: Customer }>(
  tx: Transaction<DB>,
  all: readonly Told[],
): Promise<Told[]> {
  const asked = all.map(({ customer }) => customer).filter(isNumberOfLinked)
  if (asked.length === 0) return [...all]
  const { rows } = await sql<{ companyId: string; key: string }>`
    select company_id, key from identifier
      join unnest(${asked.map(({ company }) => company.id)}::uuid[],
        ${asked.map(lidOf)}::text[]) as asked (company_id, key) using (company_id, key)
    where kind = 'lid' and state <> 'left'`.execute(tx)
  const known = new Set(rows.map(({ companyId, key }) => `${companyId} ${key}`))
  return all.map((one) => {
    const { customer } = one
    const value = lidOf(customer)
    const isKnown = known.has(`${customer.company.id} ${value}`)
    if (!isKnown || !isNumberOfLinked(customer)) return one
    const lid: Identifier = { kind: 'lid', key: value, value, filedUnder: value }
    const told = { ...customer.told, phone: null, whatsappId: value }
    return { ...one, customer: { ...customer, identifiers: [lid], told } }
  })
}

const isNumberOfLinked = ({ channel, identifiers: [first, ...others] }: Customer) =>
  channel.type === 'whatsapp_qr' && first.kind === 'number' && others.length === 0

const lidOf = ({ identifiers: [first] }: Customer) => `${first.value}@lid`
