/** Channels of a company: their state, their type and whose they are. */
import { sql } from 'kysely'
import { newIdOf, nowOf, storeOf, type FieldsOf, type Recorded, type RecordOf } from './records.ts'

export type ChannelRecord = RecordOf<'channel'>

type Its = { channelId: string }

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

/** Sets what is stored of a channel, for the functions of this folder. */
export async function putChannel(
  world: Recorded,
  channelId: string,
  values: FieldsOf<'channel'>,
): Promise<void> {
  await storeOf(world).updateTable('channel').set(values).where('id', '=', channelId).execute()
}

/** Connects or disconnects a channel, as its provider's report does. */
export const setConnected = (
  world: Recorded,
  { channelId }: Its,
  isConnected: boolean,
  disconnectedReason: string | null = null,
) => putChannel(world, channelId, { isConnected, disconnectedReason })

export const deleteChannel = (world: Recorded, { channelId }: Its) =>
  putChannel(world, channelId, { deletedAt: nowOf(world) })

export const restoreChannel = (world: Recorded, { channelId }: Its) =>
  putChannel(world, channelId, { deletedAt: null })

/** Makes a channel one of another type, where only what the type promises is looked at. */
export const setChannelType = (world: Recorded, { channelId }: Its, type: string) =>
  putChannel(world, channelId, { type })

/** Sets the name that the provider has for a channel. */
export const setProviderRoute = (world: Recorded, { channelId }: Its, providerRoute: string) =>
  putChannel(world, channelId, { providerRoute })

/** Gives a channel another route than its provider names. Nodes that remember the channel hear nothing of it. */
export async function rerouteSilently(
  world: Recorded,
  { channelId }: Its,
  providerRoute: string,
): Promise<void> {
  await forgetToTell(world)
  await putChannel(world, channelId, { providerRoute })
}

/** Lets changes of channels be told to no node, as where a notification is lost. */
export async function forgetToTell(world: Recorded): Promise<void> {
  await sql`alter table channel disable trigger channel_changed`.execute(storeOf(world))
}

/** Makes a WhatsApp number one that its owner also answers on a phone. */
export const setCoexistence = (world: Recorded, { channelId }: Its, isCoexistence = true) =>
  putChannel(world, channelId, { isCoexistence })

/** Sets the phone number that the channel shows. */
export const setDisplayNumber = (world: Recorded, { channelId }: Its, displayNumber: string) =>
  putChannel(world, channelId, { displayNumber })

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
