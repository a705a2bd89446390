/** Flows make leads. Flows › Steps; reading F40. */
import { expect, test } from 'vitest'
import type { LeadView } from '../../../src/contract/dashboard/lead.ts'
import type { Page } from '../../../src/contract/dashboard/page.ts'
import { LEAD_LIMITS } from '../../../src/core/limits/leads.ts'
import { keyword, tellStory, type Story } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const leadsOf = async ({ owner, shop }: Story) =>
  (await owner.ask<Page<LeadView>>('GET', `/companies/${shop.companyId}/leads`)).body.items

test('A lead of the customer, qualified in the flow, is told of before the handover and the end', async () => {
  const story = await tellStory(world, whatsApp)
  const hot = { temperature: 'hot', score: 85 }
  await story.publishOrder({
    hello: { kind: 'set_variable', name: 'wants', text: 'two sofas', next: 'tag' },
    tag: { kind: 'tag', add: ['lead'], next: 'lead' },
    lead: { kind: 'lead', ...hot, summary: ' Wants {{vars.wants}} ', qualify: true, next: 'over' },
    over: { kind: 'handover' },
  })
  await story.say('order')
  const [lead, ...more] = await leadsOf(story)
  expect([lead, more]).toMatchObject([
    {
      status: 'qualified',
      ...hot,
      summary: 'Wants two sofas',
      source: 'flow',
      owner: null,
      contact: { phone: story.phone },
    },
    [],
  ])
  expect(story.told().slice(-4)).toEqual([
    'contact.updated',
    'lead.qualified',
    'conversation.handover',
    'flow.completed',
  ])
  const [event] = story.shop.events('lead.qualified')
  const { contact: _, ...data } = story.shop.events('conversation.handover')[0]!.data as {
    contact: object
    conversation: object
  }
  expect(event!.data).toEqual({
    lead: {
      id: lead!.id,
      customerName: lead!.customerName,
      status: 'qualified',
      ...hot,
      qualifiedAt: lead!.qualifiedAt,
    },
    conversation: data.conversation,
  })
})

systemTest(
  'A second run goes on with the lead there is, and leaves what its step does not name',
  async () => {
    const story = await tellStory(world, whatsApp)
    const summary = 'س'.repeat(LEAD_LIMITS.summaryChars + 1)
    const cold = { kind: 'lead', temperature: 'cold', score: 5, summary, next: null }
    await story.publishOrder({ hello: cold })
    await story.publish({
      trigger: keyword('more'),
      steps: { hello: { kind: 'lead', score: 50, summary: '{{vars.none}}', next: null } },
    })
    for (const text of ['order', 'more', 'more']) await story.say(text)
    const cut = summary.slice(0, LEAD_LIMITS.summaryChars)
    expect(await leadsOf(story)).toMatchObject([
      { status: 'open', temperature: 'cold', score: 50, summary: cut },
    ])
    expect(story.shop.events('lead.qualified')).toEqual([])
  },
)

test.each([-1, 100.5, 101])('A draft with the score %s is refused', async (score) => {
  const { publishOrder } = await tellStory(world, whatsApp)
  const publishing = publishOrder({ hello: { kind: 'lead', score, next: null } })
  await expect(publishing).rejects.toThrow(/score/)
})
