/** Channels of a company: whether they are connected, whose they are, and their credentials. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { credentialsPlace } from '../../../src/channels/load-channel.ts'
import type { Service } from '../../../src/service.ts'
import {
  given,
  newIdOf,
  nowOf,
  storeOf,
  type FieldsOf,
  type Recorded,
  type RecordOf,
} from './records.ts'

export type ChannelRecord = RecordOf<'channel'>

type Its = { channelId: string }
type WithKeys = Recorded & { service: Pick<Service, 'keyRing'> }

export const channelOf = (world: Recorded, { channelId }: Its): Promise<ChannelRecord> =>
  storeOf(world)
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow()

/** Returns the channels of a company, deleted ones too. */
export const channelsOf = (
  world: Recorded,
  { companyId }: { companyId: string },
): Promise<ChannelRecord[]> =>
  storeOf(world)
    .selectFrom('channel')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

async function set(world: Recorded, channelId: string, values: FieldsOf<'channel'>): Promise<void> {
  await storeOf(world).updateTable('channel').set(values).where('id', '=', channelId).execute()
}

/** Connects or disconnects a channel, as its provider's report does. */
export const setConnected = (
  world: Recorded,
  { channelId }: Its,
  isConnected: boolean,
  disconnectedReason: string | null = null,
) => set(world, channelId, { isConnected, disconnectedReason })

export const deleteChannel = (world: Recorded, { channelId }: Its) =>
  set(world, channelId, { deletedAt: nowOf(world) })

export const restoreChannel = (world: Recorded, { channelId }: Its) =>
  set(world, channelId, { deletedAt: null })

/** Makes a channel one of another type, where only what the type promises is looked at. */
export const setChannelType = (world: Recorded, { channelId }: Its, type: string) =>
  set(world, channelId, { type })

/** Sets the name that the provider has for a channel. */
export const setProviderRoute = (world: Recorded, { channelId }: Its, providerRoute: string) =>
  set(world, channelId, { providerRoute })

/** Gives a channel another route than its provider names. Nodes that remember the channel hear nothing of it. */
export async function rerouteSilently(
  world: Recorded,
  { channelId }: Its,
  providerRoute: string,
): Promise<void> {
  await forgetToTell(world)
  await set(world, channelId, { providerRoute })
}

/** Lets changes of channels be told to no node, as where a notification is lost. */
export async function forgetToTell(world: Recorded): Promise<void> {
  await sql`alter table channel disable trigger channel_changed`.execute(storeOf(world))
}

/** Makes a WhatsApp number one that its owner also answers on a phone. */
export const setCoexistence = (world: Recorded, { channelId }: Its, isCoexistence = true) =>
  set(world, channelId, { isCoexistence })

/** Names a channel. */
export const nameChannel = (world: Recorded, { channelId }: Its, name: string | null) =>
  set(world, channelId, { name })

/** Sets the phone number that the channel shows. */
export const setDisplayNumber = (world: Recorded, { channelId }: Its, displayNumber: string) =>
  set(world, channelId, { displayNumber })

/** Sets the provider's account that the channel is said to be of. */
export const setProviderAccount = (world: Recorded, { channelId }: Its, providerAccount: string) =>
  set(world, channelId, { providerAccount })

/** Returns a channel's credentials in the clear. */
export async function credentialsOf(
  world: WithKeys,
  { channelId }: Its,
): Promise<Record<string, unknown>> {
  const { credentials, companyId } = await channelOf(world, { channelId })
  const place = credentialsPlace(channelId, companyId)
  return JSON.parse(world.service.keyRing.decrypt(credentials, place)) as Record<string, unknown>
}

/** Stores other credentials for a channel. */
export async function setCredentials(
  world: WithKeys,
  { channelId }: Its,
  credentials: Record<string, unknown>,
): Promise<void> {
  const { companyId } = await channelOf(world, { channelId })
  const place = credentialsPlace(channelId, companyId)
  const sealed = world.service.keyRing.encrypt(JSON.stringify(credentials), place)
  await set(world, channelId, { credentials: sealed })
}

/** Adds connected WhatsApp numbers, each with its own credentials, in one statement. */
export async function addNumbers(
  world: WithKeys,
  { companyId }: { companyId: string },
  numbers: readonly {
    phoneNumberId: string
    businessAccountId: string
    credentials: { accessToken: string; appSecret: string; verifyToken: string }
  }[],
): Promise<{ channelId: string }[]> {
  const now = nowOf(world)
  const rows = numbers.map(({ phoneNumberId, businessAccountId, credentials }) => {
    const id = newIdOf(world)
    return {
      id,
      companyId,
      type: 'whatsapp',
      providerRoute: phoneNumberId,
      providerAccount: businessAccountId,
      credentials: world.service.keyRing.encrypt(
        JSON.stringify(credentials),
        credentialsPlace(id, companyId),
      ),
      verifyTokenHash: createHash('sha256').update(credentials.verifyToken).digest(),
      isConnected: true,
      createdAt: now,
      updatedAt: now,
    }
  })
  await storeOf(world).insertInto('channel').values(rows).execute()
  return rows.map(({ id }) => ({ channelId: id }))
}

/** Makes a channel's credentials unreadable. Returns a function that puts them back. */
export async function breakCredentials(
  world: Recorded,
  { channelId }: Its,
): Promise<() => Promise<void>> {
  const { credentials } = await channelOf(world, { channelId })
  await set(world, channelId, { credentials: 'v1.gone.AAAA.AAAA' })
  return () => set(world, channelId, { credentials })
}

/** Gives a channel to another company, with its credentials sealed for that company. */
export async function moveChannel(
  world: WithKeys,
  { channelId }: Its,
  { companyId }: { companyId: string },
): Promise<void> {
  const secrets = await credentialsOf(world, { channelId })
  await set(world, channelId, { companyId })
  await setCredentials(world, { channelId }, secrets)
}

/** Adds a connected channel that has no credentials. Returns its id. */
export async function addChannel(
  world: Recorded,
  { companyId }: { companyId: string },
  { type }: { type: string },
): Promise<string> {
  const id = newIdOf(world)
  const now = nowOf(world)
  const connected = { credentials: '', isConnected: true, createdAt: now, updatedAt: now }
  await storeOf(world)
    .insertInto('channel')
    .values({ id, companyId, type, providerRoute: id, ...connected })
    .execute()
  return id
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
  await storeOf(world)
    .insertInto('channel')
    .values({ ...like, ...(type && { type }), id, providerRoute: providerRoute ?? id })
    .execute()
  await setCredentials(world, { channelId: id }, secrets)
  return id
}

/** Returns the state that a provider's bridge has given the service to keep for a channel. */
export const bridgeStateOf = (world: Recorded, { channelId }: Its) =>
  storeOf(world).selectFrom('channelState').selectAll().where('channelId', '=', channelId).execute()

/** Makes all secrets of a channel unreadable, its bridge's state too, as after a restore without the key. */
export async function loseChannelSecrets(world: Recorded, { channelId }: Its): Promise<void> {
  const lost = sql<string>`(select value from channel_state where channel_id <> ${channelId} limit 1)`
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

/** Returns the templates that were counted against an allowance for a message. */
export const countedTemplates = (world: Recorded, messageId: string) =>
  storeOf(world).selectFrom('templateSend').selectAll().where('messageId', '=', messageId).execute()

/** Returns the templates of a channel or company, by name and language. */
export const templatesOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) =>
  storeOf(world)
    .selectFrom('template')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId })))
    .orderBy('name')
    .orderBy('language')
    .execute()

/** Sets what the provider says of a channel's templates: their status, category or components. */
export async function putTemplates(
  world: Recorded,
  { channelId, name, language }: Its & { name?: string; language?: string },
  said: Partial<Pick<RecordOf<'template'>, 'status' | 'category' | 'components' | 'name'>>,
): Promise<void> {
  await storeOf(world)
    .updateTable('template')
    .set(said)
    .where((eb) => eb.and(given({ channelId, name, language })))
    .execute()
}
