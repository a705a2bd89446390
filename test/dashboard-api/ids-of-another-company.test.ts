/** Whatever is asked for under one's own company by the id of another's is not there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { ContactFieldView, ContactView } from '../../src/contract/dashboard/contact.ts'
import type {
  OpeningChangeView,
  ResourceView,
  ServiceView,
} from '../../src/contract/dashboard/booking-setup.ts'
import type {
  BulkClosed,
  CannedReplyView,
  EntryView,
} from '../../src/contract/dashboard/conversation.ts'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import type { AppointmentView } from '../../src/contract/dashboard/appointment.ts'
import type { CalendarLinkView } from '../../src/contract/dashboard/calendar-link.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SegmentView } from '../../src/contract/dashboard/segment.ts'
import type { ResendJobView } from '../../src/contract/dashboard/resend-job.ts'
import { assertAccessDeclared } from '../../src/http/dashboard-api/access.ts'
import { nouns } from '../../src/http/dashboard-api/app.ts'
import { actionRequest, ORDER as ORDER_PARAMETER } from '../connections/action-world.ts'
import { askHook } from '../support/ask-hook.ts'
import { uploadFile } from '../support/upload-file.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { deliveriesOf, raisePings } from '../support/deliveries.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'

let world: World
let shop: Shop
let other: Shop
/** The owner of the account of the shop, and of the other one's. */
let owner: Member
let stranger: Member
/** What the other company has, by the name that routes give its id. */
const ids: Record<string, string> = { stepId: 'tell', number: '1' }

beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  other = await createShop(world, { phoneNumberId: '2', businessAccountId: '2' })
  owner = await signedIn(world, { accountId: shop.accountId })
  stranger = await signedIn(world, { accountId: other.accountId })
  const company = `/companies/${other.companyId}`
  ids.channelId = other.channelId
  ids.flowId = other.flowId
  ids.endpointId = other.endpointId
  ids.connectionId = world.service.context.ids.uuid()
  await connectApi(world, {
    id: ids.connectionId,
    companyId: other.companyId,
    baseUrl: new URL('/api', world.receiver.url).href,
  })
  const contact = await stranger.ask<ContactView>('POST', `${company}/contacts`, { name: 'Sara' })
  ids.contactId = contact.body.id
  const file = await uploadContacts(world, stranger, other, 'name\nSara\n')
  ids.importId = file.body.id
  const field = { key: 'size', label: 'Size', kind: 'text' }
  ids.fieldId = (
    await stranger.ask<ContactFieldView>('POST', `${company}/contact-fields`, field)
  ).body.id
  const made = await stranger.ask<ActionView>('POST', `${company}/actions`, {
    toolName: 'order',
    description: 'Looks an order up.',
    request: actionRequest(ids.connectionId),
    parameters: [ORDER_PARAMETER],
  })
  ids.actionId = made.body.id
  const hooks = await stranger.ask<Page<HookUrlView>>('GET', `${company}/hook-urls`)
  ids.hookUrlId = hooks.body.items[0]!.id
  ids.runId = (await askHook(other.hookUrl)).id!
  await raisePings(world, other)
  await world.service.processAll()
  ids.fileId = await uploadFile(world, stranger, other.companyId)
  ids.deliveryId = (await deliveriesOf(world, other)).at(-1)!.id
  const job = await stranger.ask<ResendJobView>('POST', `${company}/resend-jobs`, {
    kind: 'resend',
    endpointId: other.endpointId,
  })
  if (job.status !== 201) throw new Error(`the job was answered ${job.status}`)
  ids.jobId = job.body.id
  const { conversationId } = await world.database.db.kysely
    .selectFrom('flowRun')
    .select('conversationId')
    .where('id', '=', ids.runId)
    .executeTakeFirstOrThrow()
  ids.conversationId = conversationId
  const talk = `${company}/conversations/${conversationId}`
  const note = await stranger.ask<EntryView>('POST', `${talk}/notes`, { text: 'Hello' })
  ids.noteId = note.body.id
  const sent = await world.database.db.kysely
    .selectFrom('message')
    .select('id')
    .where('conversationId', '=', conversationId)
    .executeTakeFirst()
  ids.messageId = sent?.id ?? 'o_none'
  const canned = { shortcut: 'hi', text: 'Hello' }
  const reply = await stranger.ask<CannedReplyView>('POST', `${company}/canned-replies`, canned)
  ids.cannedReplyId = reply.body.id
  const everybody = { name: 'All', filter: {} }
  const news = await stranger.ask<BroadcastView>('POST', `${company}/broadcasts`, {
    name: 'News',
    channelId: other.channelId,
    template: { name: 'order_ready' },
    audience: { kind: 'filter', filter: {} },
  })
  ids.broadcastId = news.body.id
  const segment = await stranger.ask<SegmentView>('POST', `${company}/segments`, everybody)
  ids.segmentId = segment.body.id
  const lead = await stranger.ask<LeadView>('POST', `${company}/leads`, {
    contactId: contact.body.id,
  })
  ids.leadId = lead.body.id
  const room = { name: 'Room', kind: 'room' }
  const resource = await stranger.ask<ResourceView>('POST', `${company}/resources`, room)
  ids.resourceId = resource.body.id
  const cut = { name: 'Cut', minutes: 30, needs: [] }
  const service = await stranger.ask<ServiceView>('POST', `${company}/services`, cut)
  ids.serviceId = service.body.id
  const chair = await stranger.ask<ResourceView>('POST', `${company}/resources`, room)
  const shave = await stranger.ask<ServiceView>('POST', `${company}/services`, {
    ...cut,
    needs: [{ resourceId: chair.body.id }],
  })
  const appointment = await stranger.ask<AppointmentView>('POST', `${company}/appointments`, {
    key: 'an appointment of theirs',
    serviceId: shave.body.id,
    startsAt: '2026-12-08T10:00:00Z',
    name: 'Sara',
  })
  ids.appointmentId = appointment.body.id
  const link = await stranger.ask<CalendarLinkView>('POST', `${company}/calendar-links`, {})
  ids.linkId = link.body.id
  const holiday = { firstDay: '2027-02-08', lastDay: '2027-02-08', hours: null }
  const change = await stranger.ask<OpeningChangeView>(
    'POST',
    `${company}/opening-changes`,
    holiday,
  )
  ids.changeId = change.body.id
  const closing = await stranger.ask<BulkClosed>('POST', `${company}/conversations/bulk-close`, {
    filter: { tab: 'staff' },
  })
  ids.closeJobId = closing.body.job!.id
})
afterAll(() => world.close())

/** Bodies that the routes take. */
const INPUTS: Record<string, object> = {
  'PUT /companies/:companyId/flows/:flowId/draft': {
    channelId: '',
    trigger: { kind: 'manual' },
    start: 'tell',
    steps: ORDER_READY_STEPS,
  },
  'POST /companies/:companyId/flows/:flowId/runs': { phone: '+966501234567' },
  'POST /companies/:companyId/flows/:flowId/test-runs': { phone: '+966501234567' },
  'POST /companies/:companyId/broadcasts/:broadcastId/test': {
    contactId: '01890000-0000-7000-8000-000000000000',
  },
  'POST /companies/:companyId/appointments/:appointmentId/move': {
    startsAt: '2026-12-09T10:00:00Z',
  },
  'POST /companies/:companyId/contacts/:contactId/opt-in': { reason: 'asked for it' },
  'POST /companies/:companyId/contacts/:contactId/merge': {
    fromId: '01890000-0000-7000-8000-000000000000',
  },
  'POST /companies/:companyId/contacts/:contactId/erase': { confirm: true },
  'POST /companies/:companyId/contact-imports/:importId/check': { columns: { name: 'name' } },
  'POST /companies/:companyId/conversations/:conversationId/take-over': { turn: 9 },
  'POST /companies/:companyId/conversations/:conversationId/assign': { turn: 9, assigneeId: null },
  'POST /companies/:companyId/conversations/:conversationId/messages': { key: 'k', text: 'Hello' },
  'POST /companies/:companyId/conversations/:conversationId/notes': { text: 'Hello' },
  'PATCH /companies/:companyId/conversations/:conversationId/notes/:noteId': { text: 'Hello' },
}

const ROUTES = assertAccessDeclared(nouns)
  .map(({ method, path }) => `${method} ${path}`)
  .filter((route) => /^\w+ \/companies\/:companyId\/.*:/.test(route))

function fill(route: string, companyId: string): [string, string, object | undefined] {
  const [method = '', path = ''] = route.split(' ')
  const filled = path
    .replace(':companyId', companyId)
    .replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? `no ${name}`)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  return [method, filled, hasBody ? (INPUTS[route] ?? {}) : undefined]
}

describe('By the id of another company', () => {
  test('every kind of id is tried', () => {
    const names = new Set(ROUTES.flatMap((route) => route.match(/(?<=:)\w+/g) ?? []))
    names.delete('companyId')
    expect([...names].filter((name) => !(name in ids))).toEqual([])
  })

  test.each(ROUTES)('nothing is found, changed or done: %s', async (route) => {
    const [method, path, input] = fill(route, shop.companyId)
    const answer = await owner.ask(method, path, input)
    expect([answer.status, answer.body?.code]).toEqual([404, 'not_found'])
  })

  test.each(ROUTES.filter((route) => route.startsWith('GET ')))(
    'its own members find it: %s',
    async (route) => {
      const [method, path] = fill(route, other.companyId)
      // A flow without a draft has none to check: 409.
      expect([200, 409]).toContain((await stranger.ask(method, path)).status)
    },
  )
})
