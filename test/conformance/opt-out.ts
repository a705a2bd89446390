import { makeOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { getPage } from '../support/pages.ts'
import { createWorldOn, type World } from '../support/world.ts'
import { CHANNEL_TYPES } from '../../src/core/vocabulary/channels.ts'
import { signedIn } from '../support/dashboard.ts'
import { connectEveryChannel, type Customer } from '../support/every-channel.ts'
import { createShop, type Shop } from '../support/shop.ts'
import {
  echoed,
  newWamid,
  postWebhook,
  receipt,
  webhookOf,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'

type Row = {
  type: string
  text: string | null
  /** The provider's time. */
  at: string
  /** What the clock shows when it comes. */
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

const KNOWN_FIELDS = {
  case: [
    'id',
    'channelType',
    'alsoOn',
    'before',
    'messages',
    'expect',
    'also_accept',
    'ambiguous',
    'reading',
    'why',
    'line',
    'group',
  ],
  row: ['type', 'text', 'at', 'arrivesAt', 'channelType', 'providerId', 'quotes', 'reason'],
}

const CUSTOMER = '966501234567'
const DAY_MS = 86_400_000

/**
 * Each case by the doors that customers and members use, against a service in process with a moved clock.
 * Every case has a shop of its own. Always checked besides: nothing was sent to the customer.
 */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const chosen = (cases as OptOutCase[]).filter((one) => {
    const reason = whyNotExpressed(one)
    if (reason !== null) report.fail(one.id, reason)
    return reason === null
  })
  if (chosen.length === 0) return
  const world = await createWorldOn(await startPrivateDatabase())
  try {
    for (const [index, one] of chosen.entries()) {
      const accepted = [one.expect, ...(one.also_accept ?? [])]
      await report.check(
        one.id,
        async () => {
          const seen = await runCase(world, String(index + 1), one)
          return accepted.some((expected) => isAs(seen, expected)) ? 'as expected' : seen
        },
        ['as expected'],
      )
    }
  } finally {
    await world.close()
  }
}

function whyNotExpressed(one: OptOutCase): string | null {
  const rows = one.messages ?? []
  const strange =
    Object.keys(one).find((name) => !KNOWN_FIELDS.case.includes(name)) ??
    rows.flatMap(Object.keys).find((name) => !KNOWN_FIELDS.row.includes(name))
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
  const { pool } = world.database.db
  const first = Math.min(...one.messages.map(({ arrivesAt }) => Date.parse(arrivesAt)))
  const changed = Date.parse(changedAtOf(one) ?? one.messages[0]!.at)
  world.clock.moveTo(new Date(Math.min(first, changed) - DAY_MS).toISOString())
  const types = [one.channelType, ...(one.alsoOn ?? [])]
  const other = await connectOther(
    world,
    types.find((type) => type !== 'whatsapp'),
  )
  const shop =
    other?.shop ?? (await createShop(world, { phoneNumberId: key, businessAccountId: key }))
  const around = { world, shop, other, quoted: newWamid() }
  try {
    await build(around, one)
    const { rows: before } = await pool.query<{ id: string }>(
      'select id from event where company_id = $1 order by id desc limit 1',
      [shop.companyId],
    )
    for (const row of one.messages) {
      world.clock.moveTo(row.arrivesAt)
      await deliver(around, one, row)
      await world.service.processAll()
    }
    return await look(world, shop, before[0]?.id ?? '00000000-0000-0000-0000-000000000000')
  } finally {
    await pool.query('update channel set deleted_at = $2 where company_id = $1', [
      shop.companyId,
      world.clock.now(),
    ])
    await other?.close()
  }
}

/** A customer on a channel that is not a number, and the shop that is connected there. */
type Other = { shop: Shop; customer: Customer; close(): Promise<void> }

async function connectOther(world: World, name: string | undefined): Promise<Other | null> {
  const type = CHANNEL_TYPES.find((one) => one === name)
  if (!type) return null
  const channels = await connectEveryChannel(world, [type])
  const { shop, newCustomer } = channels.party(type)
  return { shop, customer: await newCustomer(), close: () => channels.close() }
}

const changedAtOf = ({ before }: OptOutCase) =>
  typeof before === 'object' ? before.changedAt : null

type Around = { world: World; shop: Shop; other: Other | null; quoted: string }

/** The customer as they are before: known by a first message, and what a member then did. */
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
    await post(around, withId(echoed({ to: CUSTOMER, at: world.clock.now() }), around.quoted))
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

/** A member has seen that both are one person. */
async function makeOne(around: Around, intoId: string): Promise<void> {
  const { world, shop } = around
  const { rows } = await world.database.db.pool.query<{ id: string }>(
    'select id from contact where company_id = $1 and id <> $2',
    [shop.companyId, intoId],
  )
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/contacts/${intoId}/merge`
  const answer = await owner.ask('POST', path, { fromId: rows[0]!.id })
  if (answer.status !== 200) throw new Error(`merging was answered ${answer.status}`)
}

async function deliver(around: Around, one: OptOutCase, row: Row): Promise<void> {
  if (row.type === 'member_opt_out') return act(around, 'opt-out')
  if (row.type === 'member_opt_in') return act(around, 'opt-in', { reason: row.reason })
  if (LINK_ACTS.has(row.type)) return useLink(around, row)
  const type = row.channelType ?? one.channelType
  if (type !== 'whatsapp') return sayElsewhere(around.other!.customer, type, row)
  await post(around, CHANGES[row.type]!(row, around))
}

/** Its provider tells the time at which it comes. */
async function sayElsewhere(customer: Customer, channelType: string, row: Row): Promise<void> {
  const { type, text, at, arrivesAt, providerId, quotes } = row
  if (at === arrivesAt && providerId === undefined && !quotes) {
    if (type === 'text') return customer.writes(text!)
    if (type === 'tap' && customer.presses) return customer.presses(text!)
  }
  throw new Error(`nobody sends such a "${type}" on "${channelType}"`)
}

async function post(
  { world, shop }: Pick<Around, 'world' | 'shop'>,
  change: Change,
): Promise<void> {
  const status = await postWebhook(world, webhookOf(shop, [change]))
  if (status !== 200) throw new Error(`the webhook was answered ${status}`)
}

/** The customer looks at the page of the link in a broadcast's message, or sends its form. */
const LINK_ACTS: ReadonlySet<string> = new Set(['link_get', 'link_post'])

async function useLink({ world, shop }: Around, { type }: Row): Promise<void> {
  const contactId = await contactOf({ world, shop })
  const { keyRing, context } = world.service
  const token = makeOptOutToken(keyRing, { contactId, broadcastId: context.ids.uuid() })
  const { status } = await getPage(
    `${world.url}/o/${token}`,
    type === 'link_post' ? { form: '' } : {},
  )
  if (status >= 400) throw new Error(`the page of the link was answered ${status}`)
}

async function contactOf({ world, shop }: Pick<Around, 'world' | 'shop'>): Promise<string> {
  const { rows } = await world.database.db.pool.query<{ id: string }>(
    'select id from contact where company_id = $1',
    [shop.companyId],
  )
  return rows[0]!.id
}

async function act(
  { world, shop }: Pick<Around, 'world' | 'shop'>,
  what: string,
  input?: object,
): Promise<void> {
  const contactId = await contactOf({ world, shop })
  const path = `/companies/${shop.companyId}/contacts/${contactId}/${what}`
  // Days may lie between two acts: a session does not last so long.
  const member = await signedIn(world, { accountId: shop.accountId })
  const answer = await member.ask('POST', path, input)
  if (answer.status !== 200) throw new Error(`${what} was answered ${answer.status}`)
}

/** What a row is as WhatsApp posts it. */
const CHANGES: Record<string, (row: Row, around: Around) => Change> = {
  text: (row, { quoted }) =>
    written({ ...of(row), text: row.text!, ...(row.quotes ? { quotes: quoted } : {}) }),
  tap: (row, { quoted }) =>
    written({
      ...of(row),
      quotes: quoted,
      content: { type: 'button', button: { text: row.text, payload: row.text } },
    }),
  image: asMedia,
  video: asMedia,
  document: asMedia,
  audio: asMedia,
  location: (row) =>
    written({
      ...of(row),
      content: {
        type: 'location',
        location: { latitude: 21.5, longitude: 39.2, name: row.text },
      },
    }),
  reaction: (row, { quoted }) =>
    written({
      ...of(row),
      content: { type: 'reaction', reaction: { message_id: quoted, emoji: row.text } },
    }),
  edit: (row, { quoted }) =>
    written({
      ...of(row),
      content: {
        type: 'edit',
        edit: {
          original_message_id: quoted,
          message: { type: 'text', text: { body: row.text } },
        },
      },
    }),
  echo: (row) => echoed({ to: CUSTOMER, at: new Date(row.at), text: row.text! }),
  history: (row) => ({
    field: 'history',
    value: {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 55 },
          threads: [
            {
              id: CUSTOMER,
              messages: [
                {
                  from: CUSTOMER,
                  id: newWamid(),
                  timestamp: seconds(row),
                  type: 'text',
                  text: { body: row.text },
                  history_context: { status: 'READ' },
                },
              ],
            },
          ],
        },
      ],
    },
  }),
  receipt: (row, { quoted }) =>
    receipt({ id: quoted, status: 'delivered', timestamp: seconds(row), recipient_id: CUSTOMER }),
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
const seconds = ({ at }: Row) => String(Math.floor(Date.parse(at) / 1_000))

function withId(change: Change, id: string): Change {
  const [echo] = change.value.message_echoes as object[]
  return { ...change, value: { message_echoes: [{ ...echo, id }] } }
}

async function look(world: World, shop: Shop, after: string): Promise<Seen> {
  const { rows } = await world.database.db.pool.query<Seen>(
    `select coalesce((select bool_or(opted_out_at is not null) from contact where company_id = $1), false)
        as "optedOut",
      array(select type from event where company_id = $1 and id > $2
        and type in ('contact.created', 'contact.updated', 'contact.opted_out') order by id) as events,
      (select count(*)::int from event
        where company_id = $1 and id > $2 and type = 'message.received') as received,
      (select count(*)::int from message
        where company_id = $1 and direction = 'out' and sender <> 'owner_app') as sent`,
    [shop.companyId, after],
  )
  return rows[0]!
}
