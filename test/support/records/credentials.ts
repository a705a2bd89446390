/** Channels with their credentials: how these are sealed, broken and moved. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { credentialsContext } from '../../../src/modules/channels/load-channel.ts'
import type { Company, Recorded, WithKeys } from './records.ts'
import { insert, newIdOf, nowOf, read, storeOf } from './records.ts'
import { channelOf, putChannel } from './channels.ts'

type Its = { channelId: string }

/** Returns a channel's credentials in the clear. */
export async function credentialsOf(
  world: WithKeys,
  { channelId }: Its,
): Promise<Record<string, unknown>> {
  const { credentials, companyId } = await channelOf(world, { channelId })
  const place = credentialsContext(channelId, companyId)
  return JSON.parse(world.service.keyRing.decrypt(credentials, place)) as Record<string, unknown>
}

/** Stores other credentials for a channel. */
export async function setCredentials(
  world: WithKeys,
  { channelId }: Its,
  credentials: Record<string, unknown>,
): Promise<void> {
  const channel = await channelOf(world, { channelId })
  await putChannel(world, channelId, { credentials: seal(world, channel, credentials) })
}

/** Returns credentials as they are stored for this channel. */
function seal({ service }: WithKeys, channel: { id: string; companyId: string }, secrets: object) {
  const place = credentialsContext(channel.id, channel.companyId)
  return service.keyRing.encrypt(JSON.stringify(secrets), place)
}

/** Adds connected WhatsApp numbers, each with its own credentials. */
export async function addNumbers(
  world: WithKeys,
  { companyId }: Company,
  numbers: readonly {
    phoneNumberId: string
    businessAccountId: string
    credentials: { accessToken: string; appSecret: string; verifyToken: string }
  }[],
): Promise<{ channelId: string }[]> {
  const now = nowOf(world)
  const connected = { type: 'whatsapp', isConnected: true, createdAt: now, updatedAt: now }
  const rows = numbers.map(({ phoneNumberId, businessAccountId, credentials }) => {
    const id = newIdOf(world)
    return {
      ...connected,
      id,
      companyId,
      providerRoute: phoneNumberId,
      providerAccount: businessAccountId,
      credentials: seal(world, { id, companyId }, credentials),
      verifyTokenHash: createHash('sha256').update(credentials.verifyToken).digest(),
    }
  })
  await insert(world, 'channel', ...rows)
  return rows.map(({ id }) => ({ channelId: id }))
}

/** Makes a channel's credentials unreadable. Returns a function that puts them back. */
export async function breakCredentials(
  world: Recorded,
  { channelId }: Its,
): Promise<() => Promise<void>> {
  const { credentials } = await channelOf(world, { channelId })
  await putChannel(world, channelId, { credentials: 'v1.gone.AAAA.AAAA' })
  return () => putChannel(world, channelId, { credentials })
}

/** Gives a channel to another company, with its credentials sealed for that company. */
export async function moveChannel(world: WithKeys, { channelId }: Its, { companyId }: Company) {
  const secrets = await credentialsOf(world, { channelId })
  await putChannel(world, channelId, { companyId })
  await setCredentials(world, { channelId }, secrets)
}

/** Adds a second channel that is like another one of the company. Returns its id. */
export async function copyChannel(
  world: WithKeys,
  { channelId }: Its,
  { providerRoute, type }: { providerRoute?: string; type?: string } = {},
): Promise<string> {
  const id = newIdOf(world)
  const like = await channelOf(world, { channelId })
  const secrets = await credentialsOf(world, { channelId })
  const own = { ...(type && { type }), id, providerRoute: providerRoute ?? id }
  await insert(world, 'channel', { ...like, ...own })
  await setCredentials(world, { channelId: id }, secrets)
  return id
}

/** Returns the state that a provider's bridge has given the service to keep for a channel. */
export const bridgeStateOf = (world: Recorded, { channelId }: Its) =>
  read(world, 'channelState', { channelId })

/** Makes all secrets of a channel unreadable, its bridge's state too, as after a restore without the key. */
export async function loseChannelSecrets(world: Recorded, { channelId }: Its): Promise<void> {
  // A value that was encrypted for another channel does not decrypt for this one.
  const lost = sql<string>`coalesce(
    (select value from channel_state where channel_id <> ${channelId} limit 1),
    (select credentials from channel where id <> ${channelId} and credentials <> '' limit 1))`
  await storeOf(world)
    .updateTable('channel')
    .set({ credentials: lost })
    .where('id', '=', channelId)
    .execute()
  await storeOf(world)
    .updateTable('channelState')
    .set({ value: lost })
    .where('channelId', '=', channelId)
    .execute()
}
