import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { getPage } from '../support/pages.ts'
import { createWorldOn, type World } from '../support/world.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import { signedIn } from '../support/dashboard.ts'
import { connectEveryChannel, type Customer } from '../support/every-channel.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { deleteChannels } from '../support/records/channels.ts'
import { eventsOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import {
  echoed,
  editOf,
  historyOf,
  newWamid,
  postChanges,
  reactionTo,
  receipt,
  secondsText,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { acceptedBy, expressible, unknownIn, unknownInCase, words } from './cases.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'

type Row = {
  type: string
  text: string | null
  /** The provider's time. */
  at: string
  /** The service's time when the message arrives. */
  arrivesAt: string
  channelType?: string
  providerId?: string
  quotes?: boolean
  reason?: string
}

type Expected = { optedOut: boolean; events: string[]; received?: number }

type OptOutCase = {
  id: string
  channelType: string
  alsoOn?: string[]
  before: 'unknown' | 'visitor' | { optedOut: boolean; changedAt: string | null }
  messages: Row[]
  expect: Expected
  also_accept?: Expected[]
}

const KNOWN_OF_ROW = words('type text at arrivesAt channelType providerId quotes reason')

const CUSTOMER = '966501234567'
const DAY_MS = 86_400_000

/**
 * Runs each case by the routes of customers and members, against a service in process with a clock that the case moves.
 * Every case has a separate shop, and always also expects that nothing was sent to the customer.
 */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const chosen = expressible<OptOutCase>(cases, report, whyNotExpressed)
  if (chosen.length === 0) return
  const world = await createWorldOn(await startPrivateDatabase())
  try {
    for (const [index, one] of chosen.entries()) {
      const play = async () => {
        const seen = await runCase(world, String(index + 1), one)
        return acceptedBy(one).some((expected) => isAs(seen, expected)) ? 'as expected' : seen
      }
      await report.check(one.id, play, ['as expected'])
    }
  } finally {
    await world.close()
  }
}

function whyNotExpressed(one: OptOutCase): string | null {
  const rows = one.messages ?? []
  const [strange] = [
    ...unknownInCase(one, words('channelType alsoOn before messages')),
    ...rows.flatMap((row) => unknownIn(row, KNOWN_OF_ROW)),
  ]
  if (strange !== undefined) return `the runner does not know the field "${strange}"`
  const types = [
    one.channelType,
    ...(one.alsoOn ?? []),
    ...rows.flatMap((row) => row.channelType ?? []),
  ]
  const missing = types.find((type) => !CHANNEL_TYPES.some((known) => known === type))
  if (missing !== undefined) return `the service cannot connect a channel "${missing}"`
  const others = new Set(types.filter((type) => type !== 'whatsapp'))
  if (others.size > 1) return `the runner cannot connect ${[...others].join(' and ')} at once`
  const strangeRow = rows.find(
    ({ type }) => !type.startsWith('member_') && !LINK_ACTS.has(type) && !(type in CHANGES),
  )
  return strangeRow ? `the service has nothing that is a "${strangeRow.type}"` : null
}

type Seen = Expected & { received: number; sent: number }

function isAs(seen: Seen, { optedOut, events, received = seen.received }: Expected): boolean {
  return (
    seen.sent === 0 &&
    seen.optedOut === optedOut &&
    seen.received === received &&
    seen.events.join() === events.join()
  )
}

async function runCase(world: World, key: string, one: OptOutCase): Promise<Seen> {
  const first = Math.min(...one.messages.map(({ arrivesAt }) => Date.parse(arrivesAt)))
  const changed = Date.parse(changedAtOf(one) ?? one.messages[0]!.at)
  world.clock.moveTo(new Date(Math.min(first, changed) - DAY_MS).toISOString())
  const types = [one.channelType, ...(one.alsoOn ?? [])]
  const otherType = CHANNEL_TYPES.find((type) => type !== 'whatsapp' && types.includes(type))
  const other = otherType ? await connectOther(world, otherType) : null
  const shop =
    other?.shop ?? (await createShop(world, { phoneNumberId: key, businessAccountId: key }))
  const around = { world, shop, other, quoted: newWamid() }
  try {
    await build(around, one)
    const before = new Set(
      (await eventsOf(world, { companyId: shop.companyId })).map(({ id }) => id),
    )
    for (const row of one.messages) {
      moveOnTo(world, row.arrivesAt)
      await deliver(around, one, row)
      await world.service.processAll()
    }
    return await look(world, shop, before)
  } finally {
    await deleteChannels(world, shop)
    await other?.close()
  }
}

/** A customer on a channel that is not a number, and the shop that is connected there. */
type Other = {
  shop: Shop
  customer: Customer
  settle(): Promise<void>
  close(): Promise<void>
}

async function connectOther(world: World, type: ChannelType): Promise<Other> {
  const channels = await connectEveryChannel(world, [type])
  const { shop, newCustomer } = channels.party(type)
  // A name that the provider tells later would raise another event.
  const customer = await newCustomer('')
  return { shop, customer, settle: () => channels.settle(), close: () => channels.close() }
}

const changedAtOf = ({ before }: OptOutCase) =>
  typeof before === 'object' ? before.changedAt : null

type Around = { world: World; shop: Shop; other: Other | null; quoted: string }

/** Makes the customer as they are before: known by a first message, and changed by a member. */
async function build(around: Around, one: OptOutCase): Promise<void> {
  const { world } = around
  if (one.before === 'unknown') return
  const hello = () => written({ from: CUSTOMER, text: 'hello', at: world.clock.now() })
  if (one.channelType === 'whatsapp') await post(around, hello())
  else await around.other!.customer.writes('hello')
  if (one.before === 'visitor') return
  for (const type of one.alsoOn ?? []) {
    const knownId = await contactOf(around)
    if (type === 'whatsapp') await post(around, hello())
    else await around.other!.customer.writes('hello')
    await makeOne(around, knownId)
  }
  if (one.messages.some(({ quotes }) => quotes)) {
    await post(around, echoed({ to: CUSTOMER, at: world.clock.now(), id: around.quoted }))
  }
  const { optedOut, changedAt } = one.before
  if (changedAt !== null) {
    const at = new Date(changedAt)
    if (!optedOut) {
      world.clock.moveTo(new Date(at.getTime() - 1_000).toISOString())
      await act(around, 'opt-out')
    }
    world.clock.moveTo(changedAt)
    await (optedOut ? act(around, 'opt-out') : act(around, 'opt-in', { reason: 'before' }))
  }
  await world.service.processAll()
}

/** Merges both contacts, as a member does who knows that they are one person. */
async function makeOne(around: Around, intoId: string): Promise<void> {
  const { world, shop } = around
  const from = (await contactsOf(world, shop)).find(({ id }) => id !== intoId)!
  await actOn(around, intoId, 'merge', { fromId: from.id })
}

async function deliver(around: Around, one: OptOutCase, row: Row): Promise<void> {
  if (row.type === 'member_opt_out') return act(around, 'opt-out')
  if (row.type === 'member_opt_in') return act(around, 'opt-in', { reason: row.reason })
  if (LINK_ACTS.has(row.type)) return useLink(around, row)
  const type = row.channelType ?? one.channelType
  if (type !== 'whatsapp') return sayElsewhere(around, type, row)
  await post(around, CHANGES[row.type]!(row, around))
}

/** Moves the clock to a time of the case, never back: polls are due by the time of the last one. */
function moveOnTo(world: World, at: string): void {
  if (new Date(at) > world.clock.now()) world.clock.moveTo(at)
}

/** Sends a message on another channel, dated by its provider where that tells the time. */
async function sayElsewhere(
  { world, other }: Around,
  channelType: string,
  row: Row,
): Promise<void> {
  const { type, text, at, arrivesAt, providerId, quotes } = row
  const { customer, settle } = other!
  const isPlain = providerId === undefined && !quotes
  if (isPlain && type === 'text' && customer.sends) {
    const arrives = world.clock.now().toISOString()
    world.clock.moveTo(at)
    customer.sends(text!)
    world.clock.moveTo(arrives)
    return settle()
  }
  if (isPlain && at === arrivesAt) {
    if (type === 'text') return customer.writes(text!)
    if (type === 'tap' && customer.presses) return customer.presses(text!)
  }
  throw new Error(`nobody sends such a "${type}" on "${channelType}"`)
}

const post = ({ world, shop }: Around, change: Change) => postChanges(world, shop, change)

/** Steps in which the customer opens the page of a broadcast's opt-out link, or sends its form. */
const LINK_ACTS: ReadonlySet<string> = new Set(['link_get', 'link_post'])

async function useLink(around: Around, { type }: Row): Promise<void> {
  const { world } = around
  const contactId = await contactOf(around)
  const { keyRing, context } = world.service
  const token = makeOptOutToken(keyRing, { contactId, broadcastId: context.ids.uuid() })
  const { status } = await getPage(
    `${world.url}/o/${token}`,
    type === 'link_post' ? { form: '' } : {},
  )
  if (status >= 400) throw new Error(`the page of the link was answered ${status}`)
}

const contactOf = async ({ world, shop }: Around) => (await contactsOf(world, shop))[0]!.id

const act = async (around: Around, what: string, input?: object) =>
  actOn(around, await contactOf(around), what, input)

async function actOn({ world, shop }: Around, contactId: string, what: string, input?: object) {
  const path = `/companies/${shop.companyId}/contacts/${contactId}/${what}`
  // Days may pass between two steps, longer than a session lasts.
  const member = await signedIn(world, { accountId: shop.accountId })
  const answer = await member.ask('POST', path, input)
  if (answer.status !== 200) throw new Error(`${what} was answered ${answer.status}`)
}

/** The post of WhatsApp for each kind of row. */
const CHANGES: Record<string, (row: Row, around: Around) => Change> = {
  text: (row, { quoted }) =>
    written({ ...of(row), text: row.text!, ...(row.quotes ? { quotes: quoted } : {}) }),
  tap: (row, { quoted }) =>
    written({
      ...of(row),
      quotes: quoted,
      content: { type: 'button', button: { text: row.text, payload: row.text } },
    }),
  ...Object.fromEntries(['image', 'video', 'document', 'audio'].map((type) => [type, asMedia])),
  location: (row) => {
    const location = { latitude: 21.5, longitude: 39.2, name: row.text }
    return written({ ...of(row), content: { type: 'location', location } })
  },
  reaction: (row, { quoted }) => written({ ...of(row), content: reactionTo(quoted, row.text!) }),
  edit: (row, { quoted }) => written({ ...of(row), content: editOf(quoted, row.text!) }),
  echo: (row) => echoed({ to: CUSTOMER, at: new Date(row.at), text: row.text! }),
  history: (row) => historyOf({ from: CUSTOMER, at: new Date(row.at), text: row.text! }),
  receipt: ({ at }, { quoted }) => {
    const timestamp = secondsText(new Date(at))
    return receipt({ id: quoted, status: 'delivered', timestamp, recipient_id: CUSTOMER })
  },
}

function asMedia(row: Row): Change {
  const media = { id: '1', mime_type: 'application/octet-stream', caption: row.text }
  return written({ ...of(row), content: { type: row.type, [row.type]: media } })
}

const of = ({ at, providerId }: Row) => ({
  from: CUSTOMER,
  at: new Date(at),
  id: providerId === undefined ? newWamid() : `wamid.${providerId}`,
})

async function look(world: World, { companyId }: Shop, before: ReadonlySet<string>): Promise<Seen> {
  const raised = (await eventsOf(world, { companyId })).filter(({ id }) => !before.has(id))
  const types = raised.map(({ type }) => type)
  const contacts = await contactsOf(world, { companyId })
  const sent = await messagesOf(world, { companyId, direction: 'out' })
  return {
    optedOut: contacts.some(({ optedOutAt }) => optedOutAt !== null),
    events: types.filter((type) => /^contact\.(created|updated|opted_out)$/.test(type)),
    received: types.filter((type) => type === 'message.received').length,
    sent: sent.filter(({ sender }) => sender !== 'owner_app').length,
  }
}
