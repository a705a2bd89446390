/** The company of one identity case, with the channels that it names and the two flows of every case. */
import { deleteChannels } from '../support/records/channels.ts'
import { switchOff } from '../support/records/endpoints.ts'
import { addBookingPage, type BookingPage } from '../support/booking-page.ts'
import { connectChannel } from '../support/connect-channel.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { credentialsOf } from '../support/messaging.ts'
import { linkNumber, type LinkedWorld } from '../support/linked-number.ts'
import type { Product, QrSimulator } from '../../simulators/index.ts'
import type { Plan } from '../../src/core/vocabulary/accounts.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, ORDER_READY_STEPS } from '../support/shop.ts'
import type { Shop } from '../support/shop.ts'
import { createWebsite } from '../support/visitors.ts'
import type { World } from '../support/world.ts'
import { PAGE_TOKEN, type Provider } from './identity-provider.ts'

/** The services that all cases share. `other` is a second process on the same database, for concurrent steps. */
export type Standing = {
  world: World
  other: World | null
  provider: Provider
  qr: QrSimulator
}

export type ChannelOfCase = {
  id: string
  type: ChannelType
  /** The provider's id of the channel. */
  route: string
  /** The business account of a WhatsApp number, which a step may move. */
  account: string
  /** The secret that signs its webhooks, or the key of a website. */
  secret: string
}

export type CompanyOfCase = Standing & {
  shop: Shop
  /** Returns an Owner who has signed in recently, as some changes require. */
  owner(): Promise<Member>
  /** The path of the dashboard's API. */
  path: string
  /** The network address of unauthenticated clients. */
  address: string
  channels: Map<string, ChannelOfCase>
  menuFlowId: string
  /** Returns the booking page, which is made at the first call. */
  openPage(): Promise<BookingPage>
  /** Names a business account of this case by its number in the case. */
  accountOf(nth: string): string
  /** Processes all due work, and the work that results from it. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** The body of the hook fills the template, because a join changes the name of a contact. */
const ORDER_STEPS = {
  ...ORDER_READY_STEPS,
  tell: {
    ...ORDER_READY_STEPS.tell,
    body: ['1', '2'].map((name) => ({ name, text: '{{vars.order}}' })),
  },
}

/** An Owner signs in again after this time. */
const SESSION_MS = 5 * MINUTE_MS
const VOICE_SECRET = 'a-secret-of-the-merchant'
let serial = 0

export async function openCompany(
  standing: Standing,
  names: readonly string[],
  { country, plan }: { country: string; plan: string },
): Promise<CompanyOfCase> {
  const { world, other } = standing
  serial += 1
  const own = String(serial).padStart(5, '0')
  const accountOf = (nth: string) => `9${nth}${own}`
  const shop = await createShop(world, {
    phoneNumberId: `10${own}`,
    businessAccountId: accountOf('1'),
    country,
    plan: plan as Plan,
    steps: ORDER_STEPS,
  })
  // Events are read from the database, so none has to be delivered.
  await switchOff(world, shop)
  const owner = createOwner(world, shop)
  const path = `/companies/${shop.companyId}`
  const first = {
    id: shop.channelId,
    type: 'whatsapp' as const,
    route: shop.phoneNumberId,
    account: shop.businessAccountId,
    secret: APP_SECRET,
  }
  const channels = new Map<string, ChannelOfCase>([['wa', first]])
  const work = async () => {
    await world.service.processAll()
    // One process may have written work that is due in the other.
    for (const service of other ? [other.service, world.service] : []) await service.processAll()
  }
  const settle = async () => {
    await work()
    if (!channels.has('qr')) return
    // The bridge is polled once a second, and a linked number keeps an interval between two
    // messages.
    for (let pass = 0; pass < 3; pass += 1) {
      world.clock.advance(SECOND_MS + 1)
      await work()
    }
  }
  let page: Promise<BookingPage> | undefined
  const company: CompanyOfCase = {
    ...standing,
    shop,
    owner,
    path,
    address: `198.18.${(serial >> 8) & 255}.${serial & 255}`,
    channels,
    menuFlowId: '',
    openPage: () =>
      (page ??= addBookingPage(world, { companyId: shop.companyId, slug: `case-${own}` })),
    accountOf,
    settle,
    async close() {
      await deleteChannels(world, shop)
    },
  }
  company.menuFlowId = await publishMenu(company)
  for (const name of names) {
    if (name !== 'wa') channels.set(name, await connect(company, name, own))
  }
  if (channels.size > 1) await settle()
  return company
}

/** Returns the same company for requests to the other process. */
export function elsewhere(company: CompanyOfCase): CompanyOfCase {
  const { other, shop } = company
  if (!other) return company
  const there = { ...shop, hookUrl: `${other.url}/hooks/${shop.hookToken}` }
  return { ...company, world: other, shop: there, owner: createOwner(other, shop) }
}

function createOwner(world: World, shop: Shop): () => Promise<Member> {
  let signedInAt = -Infinity
  let member: Promise<Member> | undefined
  return () => {
    const now = world.clock.now().getTime()
    if (member === undefined || now - signedInAt > SESSION_MS) {
      signedInAt = now
      member = signedIn(world, shop)
    }
    return member
  }
}

async function publishMenu({ owner: signIn, path, shop }: CompanyOfCase): Promise<string> {
  const owner = await signIn()
  const draft = {
    channelId: shop.channelId,
    trigger: { kind: 'keyword', words: ['menu'], match: 'exact' },
    start: 'tell',
    steps: { tell: { kind: 'send_message', text: 'The menu', next: null } },
  }
  const made = await owner.ask<{ id: string }>('POST', `${path}/flows`, { name: 'menu' })
  const flow = `${path}/flows/${made.body.id}`
  const saved = await owner.ask('PUT', `${flow}/draft`, draft)
  const published = await owner.ask('POST', `${flow}/publish`)
  if (saved.status !== 200 || published.status !== 200) {
    throw new Error(`the flow: ${JSON.stringify([saved.body, published.body])}`)
  }
  return made.body.id
}

async function connect(company: CompanyOfCase, name: string, own: string): Promise<ChannelOfCase> {
  const { accountOf } = company
  const appSecret = APP_SECRET
  const whatsApp = (route: string, account: string) =>
    ask(company, 'whatsapp', {
      route,
      account,
      credentials: {
        phoneNumberId: route,
        businessAccountId: account,
        displayNumber: '12025550119',
        accessToken: ACCESS_TOKEN,
        appSecret,
      },
    })
  const bot = (id: string) => {
    const botToken = `${id}:AAH${own.padStart(32, 'x')}`
    return ask(company, 'telegram', { route: id, credentials: { botToken, delivery: 'webhook' } })
  }
  const page = (type: Product, route: string) => {
    const credentials = {
      ...credentialsOf(type, route),
      accessToken: PAGE_TOKEN + route,
      appSecret,
    }
    return ask(company, type, { route, credentials })
  }
  const ways: Record<string, () => Promise<ChannelOfCase>> = {
    wa2: () => whatsApp(`20${own}`, accountOf('1')),
    waP: () => whatsApp(`30${own}`, accountOf('2')),
    qr: () => link(company, own),
    tg: () => bot(`81${own}`),
    tg2: () => bot(`82${own}`),
    ms: () => page('messenger', `41${own}`),
    ms2: () => page('messenger', `42${own}`),
    ig: () => page('instagram', `43${own}`),
    site: () => stand(company, 'website'),
    widget: () => stand(company, 'web_widget'),
    voice: () => {
      const credentials = { provider: 'signed', secret: VOICE_SECRET }
      return ask(company, 'voice', { route: '', credentials })
    },
  }
  return ways[name]!()
}

async function ask(
  { owner, shop }: CompanyOfCase,
  type: ChannelType,
  {
    route,
    account = '',
    credentials,
  }: { route: string; account?: string; credentials: Record<string, string> },
): Promise<ChannelOfCase> {
  const made = await connectChannel(await owner(), shop.companyId, { type, credentials })
  const secrets: Record<string, string> = { ...credentials, ...made.shownOnce }
  const secret = secrets['webhookSecret'] ?? secrets['secret'] ?? secrets['appSecret']!
  return { id: made.channel.id, type, route, account, secret }
}

async function link(company: CompanyOfCase, own: string): Promise<ChannelOfCase> {
  const { world, qr, shop, owner } = company
  const linked: LinkedWorld = {
    world,
    qr,
    shop,
    owner,
    passTime: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const { channel } = await linkNumber(linked, `12025${own}`.padEnd(11, '0'))
  const route = channel.credentials['reference']!
  return { id: channel.id, type: 'whatsapp_qr', route, account: '', secret: '' }
}

async function stand(
  { world, shop, owner }: CompanyOfCase,
  type: 'website' | 'web_widget',
): Promise<ChannelOfCase> {
  const { channelId, key } = await createWebsite(world, type, { shop, owner: await owner() })
  return { id: channelId, type, route: key, account: '', secret: key }
}
