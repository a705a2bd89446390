/**
 * The Messenger and Instagram part of the demonstration: a page and an account of simulated providers. Their channels
 * are created at the first start of a version that has them. A channel that a member has deleted stays deleted.
 */
import { credentialsContext, loadChannel } from '../src/modules/channels/load-channel.ts'
import type { MetaCredentials } from '../src/modules/channels/meta/form-fields.ts'
import { DEFAULT_CELL } from '../src/core/ids.ts'
import { webhookPath } from '../src/modules/channels/webhook-path.ts'
import type { Context } from '../src/infra/context.ts'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'
import { tokenHash } from '../src/infra/secrets/token-hash.ts'
import type { Options } from '../simulators/index.ts'
import { DEMONSTRATION_COMPANY } from './create-demonstration.ts'

type Product = 'messenger' | 'instagram'

type Played = {
  channelId: string
  route: string
  name: string
  settings: Record<string, string>
  /** The people on the simulated phones at the first start. */
  people: { id: string; name: string }[]
}

const PLAYED: Readonly<Record<Product, Played>> = {
  messenger: {
    channelId: 'de300000-0000-4000-8000-00000000000a',
    route: '100000000000010',
    name: 'Simulated Facebook page',
    settings: {},
    people: [
      { id: '7000000000000010', name: 'Huda Saleh' },
      { id: '7000000000000011', name: 'James Carter' },
    ],
  },
  instagram: {
    channelId: 'de300000-0000-4000-8000-00000000000b',
    route: '17841400000000011',
    name: 'Simulated Instagram account',
    settings: { login: 'instagram' },
    people: [
      { id: '7000000000000020', name: 'ريم' },
      { id: '7000000000000021', name: 'Nadia' },
    ],
  },
}

/** Creates the channels unless they were created before. Returns the options of their simulators. */
export async function writePages(
  context: Context & { keyRing: KeyRing },
  about: { journalFile: string; servicePort: number },
): Promise<Pick<Options, Product>> {
  return {
    messenger: await writePage(context, 'messenger', about),
    instagram: await writePage(context, 'instagram', about),
  }
}

async function writePage(
  { keyRing, ...context }: Context & { keyRing: KeyRing },
  product: Product,
  { journalFile, servicePort }: { journalFile: string; servicePort: number },
): Promise<Options[Product]> {
  await writeChannel({ keyRing, ...context }, product)
  const { channelId, route, name, people } = PLAYED[product]
  const channel = await loadChannel(context.db.kysely, keyRing, channelId)
  const stateFile = `${journalFile}.${product}.json`
  if (!channel) return { stateFile, people }
  const { accessToken, appSecret } = channel.credentials as MetaCredentials
  const webhookUrl = `http://127.0.0.1:${servicePort}${webhookPath(product, DEFAULT_CELL)}`
  return { stateFile, people, accounts: [{ id: route, name, accessToken, appSecret, webhookUrl }] }
}

async function writeChannel(
  { db, ids, clock, keyRing }: Pick<Context, 'db' | 'ids' | 'clock'> & { keyRing: KeyRing },
  product: Product,
): Promise<void> {
  const { channelId, route, name, settings } = PLAYED[product]
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
        credentialsContext(channelId, DEMONSTRATION_COMPANY),
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
