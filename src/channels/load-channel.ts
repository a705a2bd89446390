import type { Kysely, Selectable } from 'kysely'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Channel as ChannelTable, DB } from '../database/tables.ts'
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

/** Channels that are not deleted, with their companies. */
export function channelRows(db: Kysely<DB>) {
  return db
    .selectFrom('channel')
    .innerJoin('company', 'company.id', 'channel.companyId')
    .selectAll('channel')
    .select(['company.name as companyName', 'company.accountId'])
    .where('channel.deletedAt', 'is', null)
}

/** @throws SecretUnreadable */
export function readChannel(
  keyRing: KeyRing,
  row: Selectable<ChannelTable> & { companyName: string | null; accountId: string },
): Channel {
  return {
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
  }
}

/** The channel, unless it is deleted. @throws SecretUnreadable */
export async function loadChannel(
  db: Kysely<DB>,
  keyRing: KeyRing,
  channelId: string,
): Promise<Channel | undefined> {
  const row = await channelRows(db).where('channel.id', '=', channelId).executeTakeFirst()
  return row && readChannel(keyRing, row)
}
