/** Events as a channel's adapter reads them from its provider's posts, for tests that ingest them directly. */
import type { CustomerRef, ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { loadChannel, type OpenedChannel } from '../../src/modules/channels/load-channel.ts'
import type { ChannelEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { World } from './test-service.ts'
import { newWamid } from './whatsapp-webhook.ts'

type Message = Extract<ProviderEvent, { kind: 'message' }>
type Receipt = Extract<ProviderEvent, { kind: 'receipt' }>

/** Loads a channel as the service does before it ingests events of it. */
export async function openedChannel(
  { service, database }: Pick<World, 'service' | 'database'>,
  { channelId }: { channelId: string },
): Promise<OpenedChannel> {
  return (await loadChannel(database.db.kysely, service.keyRing, channelId))!
}

/** Returns times by seconds on a scale of the test, all in the past: no event is dated after its arrival. */
export const secondsOf =
  ({ clock }: Pick<World, 'clock'>) =>
  (seconds: number) =>
    new Date(clock.now().getTime() + (seconds - 100) * SECOND_MS)

/** Returns messages of customers and receipts of sent messages, as events of this channel. */
export const eventsOf = (world: Pick<World, 'clock'>, channel: OpenedChannel) => ({
  written(customer: CustomerRef, text: string, more: Partial<Message> = {}): ChannelEvent {
    const said = { kind: 'message', customer, type: 'text', text, at: world.clock.now() } as const
    const { route } = channel
    return { channel, event: { ...said, route, providerMessageId: newWamid(), ...more } }
  },
  receipt(
    providerMessageId: string,
    status: Receipt['status'],
    seconds: number,
    more: Partial<Receipt> = {},
  ): ChannelEvent {
    const receipt = { kind: 'receipt', status, at: secondsOf(world)(seconds) } as const
    return { channel, event: { ...receipt, route: channel.route, providerMessageId, ...more } }
  },
})
