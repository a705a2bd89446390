import type { Kysely, Selectable } from 'kysely'
import { requireWorking } from '../accounts/account-hold.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Channel as ChannelTable, DB } from '../../infra/database/tables.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelAccess, FormValues } from './channel-access.ts'

/** A channel with decrypted credentials. */
export type OpenedChannel = ChannelAccess & { id: string; companyId: string; type: ChannelType }

/** A stored channel with its company, as the ingestion of provider events needs it; it has no credentials. */
export type Channel = {
  id: string
  type: ChannelType
  /** The provider's name for it in webhooks. */
  route: string
  /** The scope in which the provider's business-scoped ids are unique: the account, or the channel itself. */
  scope: string
  company: { id: string; name: string | null }
  /** The hours for which the owner's reply from the provider's app keeps flows and assistant out. */
  takeOverHours: number
}

/** Returns the context that binds a channel's credentials to its row. */
export function credentialsContext(channelId: string, companyId: string) {
  return { table: 'channel', column: 'credentials', rowId: channelId, companyId }
}

type Sealed = Pick<
  Selectable<ChannelTable>,
  | 'id'
  | 'companyId'
  | 'type'
  | 'providerRoute'
  | 'providerAccount'
  | 'displayNumber'
  | 'settings'
  | 'isSimulated'
  | 'credentials'
>

/** Selects channels that are not deleted, with the columns of `decryptChannel`. */
export function selectChannels(db: Kysely<DB>) {
  return db
    .selectFrom('channel')
    .select([
      'id',
      'companyId',
      'type',
      'providerRoute',
      'providerAccount',
      'displayNumber',
      'settings',
      'isSimulated',
      'credentials',
    ])
    .where('deletedAt', 'is', null)
}

/** Decrypts the credentials of a channel. @throws SecretUnreadable */
export function decryptChannel(keyRing: KeyRing, row: Sealed): OpenedChannel {
  return {
    id: row.id,
    companyId: row.companyId,
    type: row.type as ChannelType,
    route: row.providerRoute,
    account: row.providerAccount,
    displayNumber: row.displayNumber,
    settings: JSON.parse(row.settings) as FormValues,
    isSimulated: row.isSimulated,
    credentials: JSON.parse(
      keyRing.decrypt(row.credentials, credentialsContext(row.id, row.companyId)),
    ) as FormValues,
  }
}

/** Loads a channel unless it is deleted. @throws SecretUnreadable */
export async function loadChannel(
  db: Kysely<DB>,
  keyRing: KeyRing,
  channelId: string,
): Promise<OpenedChannel | undefined> {
  const row = await selectChannels(db).where('id', '=', channelId).executeTakeFirst()
  return row && decryptChannel(keyRing, row)
}

/** Returns the scope in which the channel's business-scoped ids are unique: see `Channel.scope`. */
export const scopeOf = ({ id, account }: Pick<OpenedChannel, 'id' | 'account'>): string =>
  account ?? id

/** A function that returns the current channel of an event, or null when it no longer exists. */
export type FindChannel = (opened: OpenedChannel) => Channel | null

/**
 * Loads the current rows of channels for events that were received for them, and returns a function that finds each.
 * The returned function throws AccountOnHold for one whose account is on hold.
 */
export async function loadChannelsOfEvents(
  db: Kysely<DB>,
  opened: readonly OpenedChannel[],
): Promise<FindChannel> {
  const rows = await db
    .selectFrom('channel')
    .innerJoin('company', 'company.id', 'channel.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select([
      'channel.id',
      'channel.providerRoute',
      'channel.providerAccount',
      'channel.companyId',
      'company.name as companyName',
      'account.hold',
      'channel.takeOverHours',
    ])
    .where('channel.id', '=', (eb) => eb.fn.any(eb.val([...new Set(opened.map(({ id }) => id))])))
    .where('channel.deletedAt', 'is', null)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ({ id, type, route }) => {
    const row = byId.get(id)
    if (row?.providerRoute !== route) return null
    requireWorking(row.hold)
    const { companyId, companyName, takeOverHours, providerAccount: account } = row
    const company = { id: companyId, name: companyName }
    return { id, type, route, scope: scopeOf({ id, account }), company, takeOverHours }
  }
}

/** An error for a channel that was deleted or got another route since it was read: another channel may be meant. */
export class ChannelGone extends Error {
  override name = 'ChannelGone'
  constructor({ id }: Pick<OpenedChannel, 'id'>) {
    super(`the channel ${id} was deleted or has another route`)
  }
}
