import type { KeyRing } from '../accounts/key-ring.ts'
import type { ChannelView } from '../contract/dashboard/channel.ts'
import type { ChannelType } from '../vocabulary.ts'
import { readCredentials, type ChannelRow } from './load-owned-channel.ts'
import { WHATSAPP_WEBHOOK_PATH } from './whatsapp/webhook-path.ts'

/** Four characters of a shorter token would give too much of it away. */
const SHOWN_FROM_CHARS = 16

/** A channel as its company's members see it: of the credentials, the end of one. */
export function viewChannel(
  { keyRing, publicUrl }: { keyRing: KeyRing; publicUrl(): string },
  row: ChannelRow,
): ChannelView {
  const { accessToken } = readCredentials(keyRing, row)
  return {
    id: row.id,
    type: row.type as ChannelType,
    name: row.name,
    phoneNumberId: row.providerRoute,
    businessAccountId: row.providerAccount,
    displayNumber: row.displayNumber,
    country: row.country,
    isConnected: row.isConnected,
    disconnectedReason: row.disconnectedReason,
    isSimulated: row.isSimulated,
    takeOverHours: row.takeOverHours,
    accessTokenLastFour: accessToken.length < SHOWN_FROM_CHARS ? null : accessToken.slice(-4),
    webhookUrl: `${publicUrl()}${WHATSAPP_WEBHOOK_PATH}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
