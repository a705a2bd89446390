/** Events that messages of customers, flows, and members in conversations raise. */
import { failRestoredRuns } from '../../src/modules/flows/runs/fail-restored-runs.ts'
import { ASKING, keyword } from '../flows/triggers/trigger-stories.ts'
import { signedIn } from '../support/dashboard.ts'
import type { Talk } from '../support/inbox.ts'
import { setPlan } from '../support/records/accounts.ts'
import { templateStep } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { visitorRequest, createWebsite, openWidget } from '../support/visitors.ts'
import { changedNumber, echoed, postChanges, written } from '../support/whatsapp-webhook.ts'
import type { EventShop, Way } from './event-shop.ts'

export function conversationWays({
  world,
  whatsApp,
  shop,
  owner,
  publish,
  write,
  inbox,
  sara,
  ask,
  ...does
}: EventShop): Way[] {
  let talk: Talk
  let phone: string
  let leaverId: string
  const { accountId } = shop
  const withTalk = async () => (talk = await does.talkTo())
  const runs = (word: string, steps: Record<string, unknown>) => does.runs(talk, word, steps)
  const act = async (what: string, json?: object) => {
    const { status, body } = await sara.ask('POST', `${talk.path}/${what}`, json)
    if (status >= 300) throw new Error(JSON.stringify(body))
  }

  return [
    {
      way: 'a customer writes for the first time',
      by: [
        'modules/inbound/ingest-batch.ts receiveMessages',
        'modules/messaging/receive-message.ts resolveCustomers',
        'modules/messaging/resolve-customers.ts planCustomerResolution',
      ],
      raises: ['contact.created', 'conversation.started', 'message.received'],
      does: does.talkTo,
    },
    {
      way: 'a known customer sends a picture',
      by: ['modules/messaging/receive-message.ts raiseEvents'],
      raises: ['message.received'],
      does: () => write({ content: { type: 'image', image: { id: '1' } } }),
    },
    {
      way: 'a visitor writes in the chat of a website',
      by: ['modules/messaging/receive-message.ts resolveVisitors'],
      raises: ['conversation.started', 'message.received'],
      does: async () => {
        const { key } = await createWebsite(world, 'web_widget', { shop, owner })
        const visitor = await openWidget(world.url, key)
        await visitor.say('hello')
      },
    },
    {
      way: 'a visitor fills in the form of a website',
      by: [],
      raises: ['contact.created', 'conversation.started', 'message.received'],
      does: async () => {
        const { key } = await createWebsite(world, 'website', { shop, owner })
        const fields = { message: 'Do you deliver?', name: 'Huda', email: 'huda@example.com' }
        await visitorRequest(world.url, 'POST', `/website/v1/${key}/leads`, { json: { fields } })
      },
    },
    {
      way: 'a hook names a new customer',
      by: [
        'modules/hooks/plan-batch.ts planCustomerResolution',
        'modules/hooks/accept-batch.ts raiseEvents',
      ],
      raises: ['contact.created', 'conversation.started'],
      does: () => shop.order((phone = newPhone())),
    },
    {
      way: 'the customer answers the run of a hook',
      by: ['modules/flows/runs/advance-runs.ts raiseEvents'],
      raises: ['message.received', 'contact.updated', 'flow.completed'],
      does: async () => whatsApp.simulator.tapButton({ from: phone }),
    },
    {
      way: 'a member starts a flow for a number',
      by: [
        'modules/flows/runs/start-run-by-hand.ts resolveCustomers',
        'modules/flows/runs/start-run-by-hand.ts raiseEvents',
        'modules/flows/runs/write-mutations.ts editContacts',
      ],
      raises: ['contact.created', 'contact.updated', 'flow.completed'],
      does: async () => {
        const steps = { hello: { kind: 'tag', add: ['vip'], remove: [], next: null } }
        const flowId = await publish({ trigger: { kind: 'manual' }, steps })
        await ask('POST', `/flows/${flowId}/runs`, { phone: newPhone() })
      },
    },
    {
      way: 'a flow assigns, qualifies, and hands over',
      by: [
        'modules/flows/runs/write-mutations.ts transitionConversations',
        'modules/flows/runs/write-mutations.ts raiseEvents',
        'modules/leads/request-leads.ts raiseQualified',
        'modules/leads/lead.ts raiseEvents',
        'modules/messaging/transition-conversations.ts raiseEvents',
      ],
      raises: [
        'message.received',
        'conversation.handover',
        'conversation.assigned',
        'lead.qualified',
        'flow.completed',
      ],
      given: withTalk,
      does: () =>
        runs('person', {
          hello: { kind: 'assign', personId: sara.personId, next: 'lead' },
          lead: { kind: 'lead', score: 90, temperature: 'hot', qualify: true, next: 'over' },
          over: { kind: 'handover', text: 'They want to buy', personId: null },
        }),
    },
    {
      way: 'a member gives the conversation back',
      by: ['modules/inbox/assignment.ts transitionConversations'],
      raises: ['conversation.assigned'],
      does: async () => act('give-back', { turn: (await talk.seen()).turn }),
    },
    {
      way: 'a flow resolves',
      by: [],
      raises: ['message.received', 'conversation.resolved', 'flow.completed'],
      does: () => runs('bye', { hello: { kind: 'resolve' } }),
    },
    {
      way: 'a run fails',
      by: [],
      raises: ['message.received', 'flow.failed'],
      given: withTalk,
      does: async () => {
        await publish({ trigger: keyword('fails'), steps: { hello: templateStep('x') } })
        await setPlan(world, { accountId }, 'pro')
        await talk.writes('fails')
        await setPlan(world, { accountId }, 'business')
      },
    },
    {
      way: 'STOP while a run waits',
      by: [
        'modules/inbound/ingest-batch.ts editContacts',
        'modules/flows/runs/end-displaced-run.ts endRun',
        'modules/flows/runs/end-run.ts raiseEvent',
      ],
      raises: ['message.received', 'contact.opted_out', 'flow.completed'],
      given: async () => {
        await withTalk()
        await runs('ask', ASKING)
      },
      does: () => talk.writes('STOP'),
    },
    {
      way: 'the operator ends the work that a restored backup left open',
      by: ['modules/flows/runs/fail-restored-runs.ts endRun'],
      raises: ['flow.failed'],
      given: async () => {
        await withTalk()
        await runs('left', ASKING)
      },
      does: () => failRestoredRuns(world.service.context, world.clock.now(), () => {}),
    },
    {
      way: 'a customer writes a burst of messages',
      by: ['modules/inbound/route-messages.ts transitionConversations'],
      raises: [...Array.from({ length: 20 }, () => 'message.received'), 'conversation.handover'],
      given: withTalk,
      does: async () => {
        for (let nth = 0; nth < 20; nth += 1) {
          whatsApp.simulator.sendText({
            from: talk.phone,
            phoneNumberId: shop.phoneNumberId,
            text: `${nth}`,
          })
        }
        await whatsApp.simulator.idle()
      },
    },
    {
      way: 'the owner writes first, in the app of the provider',
      by: [
        'modules/messaging/record-echo.ts resolveCustomers',
        'modules/messaging/record-echo.ts raiseEvents',
      ],
      raises: ['contact.created'],
      does: () =>
        postChanges(world, shop, echoed({ to: newPhone().slice(1), at: world.clock.now() })),
    },
    {
      way: 'a customer changes their number',
      by: ['modules/identity/settle-identity.ts editContacts'],
      raises: ['contact.updated'],
      given: withTalk,
      does: () => postChanges(world, shop, changedNumber(talk.phone, newPhone())),
    },
    {
      way: 'two contacts turn out to be one customer',
      by: [],
      raises: ['message.received', 'contact.updated', 'contact.updated'],
      given: async () => {
        await postChanges(world, shop, written({ userId: 'SA.77', at: world.clock.now() }))
        await withTalk()
      },
      does: () => {
        const both = { userId: 'SA.77', from: talk.phone.slice(1), at: world.clock.now() }
        return postChanges(world, shop, written(both))
      },
    },
    {
      way: 'a member assigns',
      by: [],
      raises: ['conversation.assigned'],
      given: withTalk,
      does: async () => {
        const leaver = await inbox.member()
        leaverId = leaver.memberId
        await act('assign', { assigneeId: leaver.personId, turn: (await talk.seen()).turn })
      },
    },
    {
      way: 'the assigned member is removed',
      by: ['modules/inbox/remove-member.ts transitionConversations'],
      raises: ['conversation.assigned'],
      // Removing a member needs a recent sign-in.
      does: async () => (await signedIn(world, shop)).ask('DELETE', `/members/${leaverId}`),
    },
    {
      way: 'a member resolves',
      by: [],
      raises: ['conversation.resolved'],
      does: () => act('resolve'),
    },
    {
      way: 'a member closes many conversations',
      by: ['modules/inbox/close-conversations.ts transitionConversations'],
      raises: ['conversation.resolved'],
      given: withTalk,
      does: () => ask('POST', '/conversations/bulk-close', { ids: [talk.id] }),
    },
  ]
}
