import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { fact, type Fact } from '../facts/fact.ts'
import { customerLockKey, lockNumbers, type Alias } from './lock-customer.ts'

type Asked = { companyId: string; channelId: string; contactId: string }
type Found = { ok: true; aliases: [Alias] } | { ok: false; why: Fact }

/**
 * What a contact is to be written to by on a channel: the id that their conversation there is filed under,
 * else their number. The reason where there is neither.
 */
export async function aliasesOnChannel(
  db: Kysely<DB>,
  { companyId, channelId, contactId }: Asked,
): Promise<Found> {
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
    // Of a contact that others became part of, its own before theirs.
    .orderBy((eb) => eb('conversation.mergedFrom', 'is not', null))
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

/**
 * The same for whoever is about to write: locked. Whoever was waited for may have given the contact another
 * number, made it part of another one or erased it, so it is read again until what is locked is what it has.
 *
 * @param beside other locks, taken with it in one order, also where the contact cannot be written to.
 */
export async function lockAliasesOnChannel(
  tx: Transaction<DB>,
  asked: Asked,
  beside: readonly bigint[] = [],
): Promise<Found> {
  for (let seen = await aliasesOnChannel(tx, asked); ;) {
    const aliases = seen.ok ? seen.aliases : []
    const own = aliases.map((alias) => customerLockKey(asked.companyId, alias))
    await lockNumbers(tx, [...beside, ...own])
    const found = await aliasesOnChannel(tx, asked)
    if (isDeepStrictEqual(found, seen)) return found
    seen = found
  }
}
