/**
 * Messenger and Instagram of the demonstration: a page and an account that are played on this machine. Their
 * channels are made at the first start that knows them; one that a member has deleted stays deleted.
 */
import { credentialsPlace, loadChannel } from '../src/channels/load-channel.ts'
import type { MetaCredentials } from '../src/channels/meta/form-fields.ts'
import { webhookPath } from '../src/channels/webhook-path.ts'
import type { Context } from '../src/context.ts'
import type { KeyRing } from '../src/secrets/key-ring.ts'
import { tokenHash } from '../src/secrets/token-hash.ts'
import type { Product } from '../simulators/messaging/messaging-account.ts'
import {
  createMessagingSimulator,
  type MessagingSimulator,
} from '../simulators/messaging/create-messaging-simulator.ts'
import { DEMONSTRATION_COMPANY } from './create-demonstration.ts'

type Played = {
  product: Product
  channelId: string
  route: string
  name: string
  settings: Record<string, string>
  /** Whom its phones show at the first start. */
  people: { id: string; name: string }[]
}

const PLAYED: readonly Played[] = [
  {
    product: 'messenger',
    channelId: 'de300000-0000-4000-8000-00000000000a',
    route: '100000000000010',
    name: 'Simulated Facebook page',
    settings: {},
    people: [
      { id: '7000000000000010', name: 'Huda Saleh' },
      { id: '7000000000000011', name: 'James Carter' },
    ],
  },
  {
    product: 'instagram',
    channelId: 'de300000-0000-4000-8000-00000000000b',
    route: '17841400000000011',
    name: 'Simulated Instagram account',
    settings: { login: 'instagram' },
    people: [
      { id: '7000000000000020', name: 'ريم' },
      { id: '7000000000000021', name: 'Nadia' },
    ],
  },
]

/** Makes the channels where they were never made, and what plays their providers. */
export async function playMessaging(
  { keyRing, ...context }: Context & { keyRing: KeyRing },
  { journalFile, servicePort }: { journalFile: string; servicePort: number },
): Promise<MessagingSimulator[]> {
  const played: MessagingSimulator[] = []
  for (const one of PLAYED) {
    await writeChannel({ keyRing, ...context }, one)
    const channel = await loadChannel(context.db.kysely, keyRing, one.channelId)
    const { product, route, name, people } = one
    const simulator = createMessagingSimulator({
      product,
      clock: context.clock,
      log: (line) => context.log.info(line),
      stateFile: `${journalFile}.${product}.json`,
      people,
    })
    if (channel) {
      const { accessToken, appSecret } = channel.credentials as MetaCredentials
      const webhookUrl = `http://127.0.0.1:${servicePort}${webhookPath(product)}`
      simulator.addAccount({ id: route, name, accessToken, appSecret, webhookUrl })
    }
    played.push(simulator)
  }
  return played
}

async function writeChannel(
  { db, ids, clock, keyRing }: Pick<Context, 'db' | 'ids' | 'clock'> & { keyRing: KeyRing },
  { product, channelId, route, name, settings }: Played,
): Promise<void> {
  const now = clock.now()
  const made: MetaCredentials = {
    accessToken: ids.token(32),
    appSecret: ids.token(32),
    verifyToken: ids.token(32),
  }
  await db.kysely
    .insertInto('channel')
    .values({
      id: channelId,
      companyId: DEMONSTRATION_COMPANY,
      type: product,
      name,
      providerRoute: route,
      providerAccount: route,
      settings: JSON.stringify(settings),
      credentials: keyRing.encrypt(
        JSON.stringify(made),
        credentialsPlace(channelId, DEMONSTRATION_COMPANY),
      ),
      verifyTokenHash: tokenHash(made.verifyToken),
      isConnected: true,
      isSimulated: true,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
