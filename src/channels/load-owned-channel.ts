import type { Kysely, Selectable } from 'kysely'
import { SecretUnreadable, type KeyRing } from '../accounts/key-ring.ts'
import type { Channel as ChannelTable, DB } from '../database/tables.ts'
import { ServiceError } from '../service-error.ts'
import { credentialsPlace, type ChannelCredentials } from './load-channel.ts'

export type ChannelRow = Selectable<ChannelTable>

/** A channel of the company that is not deleted. @throws not_found */
export async function loadOwnedChannel(
  db: Kysely<DB>,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<ChannelRow> {
  const channel = await db
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', channelId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!channel) throw new ServiceError('not_found', 'This company has no such channel.')
  return channel
}

/** The same, locked until the transaction ends. @throws not_found */
export async function lockChannel(
  tx: Kysely<DB>,
  owned: { companyId: string; channelId: string },
): Promise<ChannelRow> {
  await tx
    .selectFrom('channel')
    .select('id')
    .where('id', '=', owned.channelId)
    .where('companyId', '=', owned.companyId)
    .forNoKeyUpdate()
    .execute()
  return loadOwnedChannel(tx, owned)
}

/** @throws conflict when they cannot be read: their key is gone, or is another one under its id. */
export function readCredentials(keyRing: KeyRing, row: ChannelRow): ChannelCredentials {
  try {
    return JSON.parse(
      keyRing.decrypt(row.credentials, credentialsPlace(row.id, row.companyId)),
    ) as ChannelCredentials
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new ServiceError(
      'conflict',
      "The channel's credentials could not be read here. Enter accessToken, appSecret and verifyToken again, or ask who runs the service.",
      { cause: error },
    )
  }
}

export function writeCredentials(
  keyRing: KeyRing,
  row: { id: string; companyId: string },
  credentials: ChannelCredentials,
): string {
  return keyRing.encrypt(JSON.stringify(credentials), credentialsPlace(row.id, row.companyId))
}
