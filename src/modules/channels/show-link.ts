import type { Context } from '../../infra/context.ts'
import type { ChannelLink } from '../../contract/dashboard/channel.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { readChannelState } from './channel-state.ts'
import { loadOwnedChannel } from './load-owned-channel.ts'
import { LINK_NAME, readStoredLink } from './whatsapp-qr/link-state.ts'

/** Returns the last known state of the link between a channel and its phone. @throws not_found */
export async function showLink(
  { db, keyRing }: Pick<Context, 'db'> & { keyRing: KeyRing },
  owned: { companyId: string; channelId: string },
): Promise<ChannelLink> {
  await loadOwnedChannel(db.kysely, owned)
  const state = await readChannelState(db.kysely, keyRing, owned, [LINK_NAME])
  const link = readStoredLink(state.get(LINK_NAME))
  if (!link) return { status: 'none', qr: null, qrUntil: null, number: null }
  const { status, qr = null, qrUntil, number = null } = link
  return {
    status,
    qr: status === 'pairing' ? qr : null,
    qrUntil: qrUntil === undefined ? null : new Date(qrUntil).toISOString(),
    number,
  }
}
