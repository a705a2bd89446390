import type { Kysely, Selectable } from 'kysely'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import type { Channel as ChannelTable, DB } from '../../infra/database/tables.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import type { FormValues } from './channel-access.ts'
import { credentialsContext, decryptChannel } from './load-channel.ts'
import { secretFieldsFor } from './require-credentials.ts'

/** A row of the table of channels, with encrypted credentials. */
export type ChannelRow = Selectable<ChannelTable>

/** Loads a channel of the company that is not deleted. @throws not_found */
export async function loadOwnedChannel(
  db: Kysely<DB>,
  { companyId, channelId }: { companyId: string; channelId: string },
): Promise<ChannelRow> {
  return db
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', channelId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_channel')))
}

/** Locks a channel until the transaction ends, and returns it. @throws not_found */
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

/** Returns the credentials, or in `unreadable` why they cannot be decrypted: their key is missing or was replaced. */
export function tryReadCredentials(
  keyRing: KeyRing,
  { form }: ChannelAdapter,
  row: ChannelRow,
): { secrets: FormValues; unreadable: Fact | null } {
  try {
    return { secrets: decryptChannel(keyRing, row).credentials, unreadable: null }
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    const secrets = Object.keys(form.secrets)
    return { secrets: {}, unreadable: fact('channel_credentials_unreadable', { secrets }) }
  }
}

/**
 * Returns the decrypted credentials of a channel.
 * @throws conflict when they cannot be decrypted
 */
export function readCredentials(
  keyRing: KeyRing,
  adapter: ChannelAdapter,
  row: ChannelRow,
): FormValues {
  const { secrets, unreadable } = tryReadCredentials(keyRing, adapter, row)
  if (unreadable) throw new ServiceError('conflict', unreadable)
  return secrets
}

/** Returns the columns of the credentials: encrypted, and the hash of the verify token. */
export function credentialColumns(
  keyRing: KeyRing,
  { form }: ChannelAdapter,
  row: { id: string; companyId: string },
  credentials: FormValues,
): { credentials: string; verifyTokenHash: Buffer | null } {
  const ours = credentials[secretFieldsFor(form, 'confirms')[0] ?? '']
  return {
    credentials: keyRing.encrypt(
      JSON.stringify(credentials),
      credentialsContext(row.id, row.companyId),
    ),
    verifyTokenHash: ours === undefined ? null : tokenHash(ours),
  }
}
