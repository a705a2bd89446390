/** A company that has one of everything, by the names that the routes of the dashboard's API give their ids. */
import type { BulkClosed } from '../../src/contract/dashboard/conversation.ts'
import type { HookUrlView } from '../../src/contract/dashboard/hook-url.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { actionRequest, ORDER as ORDER_PARAMETER } from '../connections/action-world.ts'
import { postHook } from './post-hook.ts'
import { uploadFile } from './upload-file.ts'
import { uploadContacts } from './upload-contacts.ts'
import type { Member } from './dashboard.ts'
import { raisePings } from './deliveries.ts'
import { leaveReply } from './replies.ts'
import type { World } from './test-service.ts'
import { connectApi } from './shop-api.ts'
import type { Shop } from './shop.ts'
import { createWebsite } from './visitors.ts'
import { deliveriesOf } from './records/deliveries.ts'
import { messagesOf } from './records/messages.ts'
import { runOf } from './records/runs.ts'

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
  const make = async (path: string, json: object) => {
    const { status, body } = await member.ask<{ id: string }>('POST', `${company}/${path}`, json)
    if (status >= 300) throw new Error(`${path} was answered ${status} ${JSON.stringify(body)}`)
    return body.id
  }
  ids.contactId = await make('contacts', { name: 'Sara' })
  ids.importId = (await uploadContacts(world, member, shop, 'name\nSara\n')).body.id
  ids.fieldId = await make('contact-fields', { key: 'size', label: 'Size', kind: 'text' })
  ids.actionId = await make('actions', {
    toolName: 'order',
    description: 'Looks an order up.',
    request: actionRequest(ids.connectionId),
    parameters: [ORDER_PARAMETER],
  })
  const hooks = await member.ask<Page<HookUrlView>>('GET', `${company}/hook-urls`)
  ids.hookUrlId = hooks.body.items[0]!.id
  ids.runId = (await postHook(shop.hookUrl)).id!
  await raisePings(world, shop)
  await world.service.processAll()
  ids.fileId = await uploadFile(world, member, shop.companyId)
  ids.deliveryId = (await deliveriesOf(world, shop)).at(-1)!.id
  ids.jobId = await make('resend-jobs', { kind: 'resend', endpointId: shop.endpointId })
  const { conversationId } = await runOf(world, ids.runId)
  ids.conversationId = conversationId
  ids.noteId = await make(`conversations/${conversationId}/notes`, { text: 'Hello' })
  const [sent] = await messagesOf(world, { conversationId })
  ids.messageId = sent?.id ?? 'o_none'
  ids.replyId = await leaveReply(world, { ...shop, conversationId, messageId: ids.messageId })
  ids.cannedReplyId = await make('canned-replies', { shortcut: 'hi', text: 'Hello' })
  ids.broadcastId = await make('broadcasts', {
    name: 'News',
    channelId: shop.channelId,
    template: { name: 'order_ready' },
    audience: { kind: 'filter', filter: {} },
  })
  ids.segmentId = await make('segments', { name: 'All', filter: {} })
  ids.leadId = await make('leads', { contactId: ids.contactId })
  const text = { kind: 'text', title: 'Hours', text: 'Nine to five.' }
  ids.sourceId = await make('knowledge/sources', text)
  const room = { name: 'Room', kind: 'room' }
  ids.resourceId = await make('resources', room)
  const cut = { name: 'Cut', minutes: 30, needs: [] }
  ids.serviceId = await make('services', cut)
  const needs = [{ resourceId: await make('resources', room) }]
  ids.appointmentId = await make('appointments', {
    key: 'an appointment of theirs',
    serviceId: await make('services', { ...cut, needs }),
    startsAt: '2026-12-08T10:00:00Z',
    name: 'Sara',
  })
  ids.linkId = await make('calendar-links', {})
  const holiday = { firstDay: '2027-02-08', lastDay: '2027-02-08', hours: null }
  ids.changeId = await make('opening-changes', holiday)
  const closing = await member.ask<BulkClosed>('POST', `${company}/conversations/bulk-close`, {
    filter: { tab: 'staff' },
  })
  ids.closeJobId = closing.body.job!.id
  return ids
}
