import { sql, type Kysely } from 'kysely'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { DB } from '../database/tables.ts'
import type { ChannelType } from '../vocabulary.ts'

/** What a channel needs to speak for itself at its provider. Stored encrypted. */
export type ChannelCredentials = { accessToken: string; appSecret: string; verifyToken: string }

export type Channel = {
  id: string
  company: { id: string; name: string | null }
  accountId: string
  type: ChannelType
  /** The provider's name for it in webhooks. */
  route: string
  providerAccount: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  isConnected: boolean
  isSimulated: boolean
  /** How long the owner's reply from the provider's app keeps flows and assistant out. */
  takeOverHours: number
  credentials: ChannelCredentials
}

export function credentialsPlace(channelId: string, companyId: string) {
  return { table: 'channel', column: 'credentials', rowId: channelId, companyId }
}

/** Of a company's app there are few; a body that names none of them is checked against this many. */
const MOST = 1_000

/**
 * The channels that the provider's routes or accounts name, or all of a type when neither is given;
 * deleted ones left out, at most 1,000.
 */
export async function loadChannels(
  db: Kysely<DB>,
  keyRing: KeyRing,
  where: { type: ChannelType; routes?: string[]; accounts?: string[] } | { ids: string[] },
): Promise<Channel[]> {
  let query = db
    .selectFrom('channel')
    .innerJoin('company', 'company.id', 'channel.companyId')
    .selectAll('channel')
    .select(['company.name as companyName', 'company.accountId'])
    .where('channel.deletedAt', 'is', null)
  if ('ids' in where) {
    query = query.where('channel.id', 'in', where.ids)
  } else {
    query = query.where('type', '=', where.type)
    const { routes, accounts } = where
    if (routes || accounts) {
      query = query.where(
        sql<boolean>`(provider_route = any(${routes ?? []}::text[])
          or provider_account = any(${accounts ?? []}::text[]))`,
      )
    }
  }
  const rows = await query.limit(MOST).execute()
  return rows.map((row) => ({
    id: row.id,
    company: { id: row.companyId, name: row.companyName },
    accountId: row.accountId,
    type: row.type as ChannelType,
    route: row.providerRoute,
    providerAccount: row.providerAccount,
    country: row.country,
    isConnected: row.isConnected,
    isSimulated: row.isSimulated,
    takeOverHours: row.takeOverHours,
    credentials: JSON.parse(
      keyRing.decrypt(row.credentials, credentialsPlace(row.id, row.companyId)),
    ) as ChannelCredentials,
  }))
}
