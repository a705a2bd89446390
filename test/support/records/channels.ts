/** Channels of a company: their state, their type and their company. */
import { sql } from 'kysely'
import type { Company, FieldsOf, Recorded } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readOne, storeOf, update } from './records.ts'

type Its = { channelId: string }

export const channelOf = (world: Recorded, { channelId }: Its) =>
  readOne(world, 'channel', { id: channelId })

/** Moves the start of what a channel has sent in the last second by this time, later or earlier. */
export async function moveRate(world: Recorded, channelId: string, byMs: number): Promise<void> {
  await sql`update send_rate set begun_at =
    array(select clock_timestamp() + ${byMs} * interval '1 ms' from unnest(begun_at))
    where channel_id = ${channelId}`.execute(storeOf(world))
}

/** Returns how a channel keeps the distance of its sends. */
export const paceOf = (world: Recorded, channelId: string) =>
  readOne(world, 'channelThrottle', { channelId })

/** Returns the channels of a company, deleted ones too. */
export const channelsOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'channel', { companyId }, 'createdAt', 'id')

/** Changes the stored columns of a channel, for the functions of this folder. */
export const putChannel = (world: Recorded, channelId: string, values: FieldsOf<'channel'>) =>
  update(world, 'channel', { id: channelId }, values)

/** Connects or disconnects a channel, as its provider's report does. */
export const setConnected = (
  world: Recorded,
  { channelId }: Its,
  isConnected: boolean,
  disconnectedReason: string | null = null,
) => putChannel(world, channelId, { isConnected, disconnectedReason })

export const deleteChannel = (world: Recorded, { channelId }: Its) =>
  putChannel(world, channelId, { deletedAt: nowOf(world) })

export const deleteChannels = (world: Recorded, { companyId }: Company) =>
  update(world, 'channel', { companyId }, { deletedAt: nowOf(world) })

export const restoreChannel = (world: Recorded, { channelId }: Its) =>
  putChannel(world, channelId, { deletedAt: null })

/** Makes a channel one of another type, where only what the type promises is looked at. */
export const setChannelType = (world: Recorded, { channelId }: Its, type: string) =>
  putChannel(world, channelId, { type })

/** Sets the name that the provider has for a channel. */
export const setProviderRoute = (world: Recorded, { channelId }: Its, providerRoute: string) =>
  putChannel(world, channelId, { providerRoute })

/**
 * Gives a channel another route than its provider names. Nodes that have the channel in their cache are not
 * notified.
 */
export async function rerouteSilently(world: Recorded, channel: Its, providerRoute: string) {
  await forgetToTell(world)
  await setProviderRoute(world, channel, providerRoute)
}

/** Disables the notification of nodes about changed channels, as when a notification is lost. */
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
export function addChannel(
  world: Recorded,
  { companyId }: Company,
  { type }: { type: string },
): Promise<string> {
  const [id, now] = [newIdOf(world), nowOf(world)]
  const connected = { credentials: '', isConnected: true, createdAt: now, updatedAt: now }
  return add(world, 'channel', { id, companyId, type, providerRoute: id, ...connected })
}

/** Makes a channel due to be polled now. */
export const awaitPoll = (world: Recorded, { channelId }: Its) =>
  insert(world, 'channelPoll', { channelId, dueAt: nowOf(world) })
