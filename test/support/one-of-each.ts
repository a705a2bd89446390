/** A company that has one of everything, by the names that the routes of the dashboard's API give their ids. */
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
import type { SourceView } from '../../src/contract/dashboard/knowledge.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SegmentView } from '../../src/contract/dashboard/segment.ts'
import type { ResendJobView } from '../../src/contract/dashboard/resend-job.ts'
import { actionRequest, ORDER as ORDER_PARAMETER } from '../connections/action-world.ts'
import { askHook } from './ask-hook.ts'
import { uploadFile } from './upload-file.ts'
import { uploadContacts } from './upload-contacts.ts'
import type { Member } from './dashboard.ts'
import { raisePings } from './deliveries.ts'
import { leaveReply } from './replies.ts'
import type { World } from './service.ts'
import { connectApi } from './shop-api.ts'
import type { Shop } from './shop.ts'
import { createWebsite } from './visitors.ts'
import { deliveriesOf } from './records/deliveries.ts'

/** @param member an owner of the shop's account */
export async function makeOneOfEach(
  world: World,
  shop: Shop,
  member: Member,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = { stepId: 'tell', number: '1' }
  const company = `/companies/${shop.companyId}`
  ids.channelId = shop.channelId
  ids.flowId = shop.flowId
  ids.endpointId = shop.endpointId
  ids.connectionId = world.service.context.ids.uuid()
  await connectApi(world, {
    id: ids.connectionId,
    companyId: shop.companyId,
    baseUrl: new URL('/api', world.receiver.url).href,
  })
  const site = await createWebsite(world, 'web_widget', { shop, owner: member })
  ids.siteChannelId = site.channelId
  const contact = await member.ask<ContactView>('POST', `${company}/contacts`, { name: 'Sara' })
  ids.contactId = contact.body.id
  const file = await uploadContacts(world, member, shop, 'name\nSara\n')
  ids.importId = file.body.id
  const field = { key: 'size', label: 'Size', kind: 'text' }
  ids.fieldId = (
    await member.ask<ContactFieldView>('POST', `${company}/contact-fields`, field)
  ).body.id
  const made = await member.ask<ActionView>('POST', `${company}/actions`, {
    toolName: 'order',
    description: 'Looks an order up.',
    request: actionRequest(ids.connectionId),
    parameters: [ORDER_PARAMETER],
  })
  ids.actionId = made.body.id
  const hooks = await member.ask<Page<HookUrlView>>('GET', `${company}/hook-urls`)
  ids.hookUrlId = hooks.body.items[0]!.id
  ids.runId = (await askHook(shop.hookUrl)).id!
  await raisePings(world, shop)
  await world.service.processAll()
  ids.fileId = await uploadFile(world, member, shop.companyId)
  ids.deliveryId = (await deliveriesOf(world, shop)).at(-1)!.id
  const job = await member.ask<ResendJobView>('POST', `${company}/resend-jobs`, {
    kind: 'resend',
    endpointId: shop.endpointId,
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
  const note = await member.ask<EntryView>('POST', `${talk}/notes`, { text: 'Hello' })
  ids.noteId = note.body.id
  const sent = await world.database.db.kysely
    .selectFrom('message')
    .select('id')
    .where('conversationId', '=', conversationId)
    .executeTakeFirst()
  ids.messageId = sent?.id ?? 'o_none'
  ids.replyId = await leaveReply(world, { ...shop, conversationId, messageId: ids.messageId })
  const canned = { shortcut: 'hi', text: 'Hello' }
  const reply = await member.ask<CannedReplyView>('POST', `${company}/canned-replies`, canned)
  ids.cannedReplyId = reply.body.id
  const everybody = { name: 'All', filter: {} }
  const news = await member.ask<BroadcastView>('POST', `${company}/broadcasts`, {
    name: 'News',
    channelId: shop.channelId,
    template: { name: 'order_ready' },
    audience: { kind: 'filter', filter: {} },
  })
  ids.broadcastId = news.body.id
  const segment = await member.ask<SegmentView>('POST', `${company}/segments`, everybody)
  ids.segmentId = segment.body.id
  const lead = await member.ask<LeadView>('POST', `${company}/leads`, {
    contactId: contact.body.id,
  })
  ids.leadId = lead.body.id
  const source = await member.ask<SourceView>('POST', `${company}/knowledge/sources`, {
    kind: 'text',
    title: 'Hours',
    text: 'Nine to five.',
  })
  ids.sourceId = source.body.id
  const room = { name: 'Room', kind: 'room' }
  const resource = await member.ask<ResourceView>('POST', `${company}/resources`, room)
  ids.resourceId = resource.body.id
  const cut = { name: 'Cut', minutes: 30, needs: [] }
  const service = await member.ask<ServiceView>('POST', `${company}/services`, cut)
  ids.serviceId = service.body.id
  const chair = await member.ask<ResourceView>('POST', `${company}/resources`, room)
  const shave = await member.ask<ServiceView>('POST', `${company}/services`, {
    ...cut,
    needs: [{ resourceId: chair.body.id }],
  })
  const appointment = await member.ask<AppointmentView>('POST', `${company}/appointments`, {
    key: 'an appointment of theirs',
    serviceId: shave.body.id,
    startsAt: '2026-12-08T10:00:00Z',
    name: 'Sara',
  })
  ids.appointmentId = appointment.body.id
  const link = await member.ask<CalendarLinkView>('POST', `${company}/calendar-links`, {})
  ids.linkId = link.body.id
  const holiday = { firstDay: '2027-02-08', lastDay: '2027-02-08', hours: null }
  const change = await member.ask<OpeningChangeView>('POST', `${company}/opening-changes`, holiday)
  ids.changeId = change.body.id
  const closing = await member.ask<BulkClosed>('POST', `${company}/conversations/bulk-close`, {
    filter: { tab: 'staff' },
  })
  ids.closeJobId = closing.body.job!.id
  return ids
}
