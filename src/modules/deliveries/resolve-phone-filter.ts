import type { Kysely } from 'kysely'
import type { DeliveryFilter, DeliverySearch } from '../../contract/dashboard/delivery.ts'
import type { DB } from '../../infra/database/tables.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'

/**
 * Replaces the phone number in a filter of the delivery log by the id of the contact that has it. Returns null when no
 * contact has the number, or when the filter names another contact: nothing can match.
 */
export async function resolvePhoneFilter(
  db: Kysely<DB>,
  { companyId, phone, ...filter }: DeliverySearch & { companyId: string },
): Promise<DeliveryFilter | null> {
  if (phone === undefined) return filter
  const contactId = await contactOf(db, companyId, phone)
  if (contactId === null) return null
  if (filter.contactId !== undefined && filter.contactId !== contactId) return null
  return { ...filter, contactId }
}

async function contactOf(db: Kysely<DB>, companyId: string, text: string): Promise<string | null> {
  const channels = await db
    .selectFrom('channel')
    .select('country')
    .distinct()
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .where('country', 'is not', null)
    .execute()
  const read = readPhone(text, channels.length === 1 ? channels[0]!.country! : '')
  if (!read.ok) return null
  const contact = await db
    .selectFrom('contact')
    .select('id')
    .where('companyId', '=', companyId)
    .where('phone', '=', read.value)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return contact?.id ?? null
}
