import type { Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { fact, type Fact } from '../facts/fact.ts'
import type { Alias } from './lock-customer.ts'

/**
 * What a contact is to be written to by on a channel: the id that their conversation there is filed under,
 * else their number. The reason where there is neither.
 */
export async function aliasesOnChannel(
  db: Kysely<DB>,
  { companyId, channelId, contactId }: { companyId: string; channelId: string; contactId: string },
): Promise<{ ok: true; aliases: [Alias] } | { ok: false; why: Fact }> {
  const contact = await db
    .selectFrom('contact')
    .leftJoin('conversation', (join) =>
      join
        .onRef('conversation.contactId', '=', 'contact.id')
        .on('conversation.channelId', '=', channelId),
    )
    .select(['contact.phone', 'conversation.filedUnder'])
    .where('contact.id', '=', contactId)
    .where('contact.companyId', '=', companyId)
    .orderBy('conversation.createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!contact) return { ok: false, why: fact('unknown_contact') }
  const rows = await db
    .selectFrom('contactAlias')
    .select(['kind', 'value'])
    .where('contactId', '=', contactId)
    .where('companyId', '=', companyId)
    .orderBy('createdAt')
    .execute()
  const { phone, filedUnder } = contact
  const filed = (rows as Alias[]).find(({ value }) => value === filedUnder)
  const number = phone === null ? undefined : ({ kind: 'number', value: phone.slice(1) } as const)
  const first = filed ?? number
  return first
    ? { ok: true, aliases: [first] }
    : { ok: false, why: fact('start_contact_not_on_channel') }
}
