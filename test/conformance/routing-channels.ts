/**
 * Routing cases on channels other than WhatsApp numbers: the situation is built in a shop connected to that channel.
 */
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { signedIn } from '../support/dashboard.ts'
import { connectEveryChannel } from '../support/every-channel.ts'
import type { World } from '../support/world.ts'
import { buildIn, type Built, type Place, type Situation } from './routing-setup.ts'

/** Builds the situation in a new shop for each case, and closes the provider's simulator after it. */
export async function inShopOn<T>(
  world: World,
  type: ChannelType,
  situation: Situation,
  act: (built: Built<Place>) => Promise<T>,
): Promise<T> {
  const channels = await connectEveryChannel(world, [type])
  try {
    const shop = channels.party(type)
    // A name that the provider tells later would raise another event.
    const customer = await shop.newCustomer('')
    const built = await buildIn(world, situation, {
      shop,
      owner: await signedIn(world, { accountId: shop.accountId }),
      phone: '',
      knownId: '',
      says: (text) => customer.writes(text),
      order: null,
      settle: () => channels.settle(),
    })
    return await act(built)
  } finally {
    await channels.close()
  }
}
