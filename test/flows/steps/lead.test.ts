/** Flows make leads. Flows › Steps; reading F40. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LeadView } from '../../../src/contract/dashboard/lead.ts'
import type { Page } from '../../../src/contract/dashboard/page.ts'
import { LEAD_LIMITS } from '../../../src/limits/leads.ts'
import { createWorld, type World } from '../../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { tellStory, type Story } from '../triggers/trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const trigger = { kind: 'keyword', words: ['offer'] }
const leadsOf = async ({ owner, shop }: Story) =>
  (await owner.ask<Page<LeadView>>('GET', `/companies/${shop.companyId}/leads`)).body.items
const say = async (story: Story, text: string) => {
  await story.write({ text })
  await whatsApp.settle()
}

test('A lead of the customer, qualified in the flow, is told of before the handover and the end', async () => {
  const story = await tellStory(world, whatsApp)
  await story.publish({
    trigger,
    steps: {
      hello: { kind: 'set_variable', name: 'wants', text: 'two sofas', next: 'tag' },
      tag: { kind: 'tag', add: ['lead'], next: 'lead' },
      lead: {
        kind: 'lead',
        temperature: 'hot',
        score: 85,
        summary: ' Wants {{vars.wants}} ',
        qualify: true,
        next: 'over',
      },
      over: { kind: 'handover' },
    },
  })
  await say(story, 'offer')
  const [lead, ...more] = await leadsOf(story)
  expect([lead, more]).toMatchObject([
    {
      status: 'qualified',
      temperature: 'hot',
      score: 85,
      summary: 'Wants two sofas',
      source: 'flow',
      owner: null,
      contact: { phone: story.phone },
    },
    [],
  ])
  const { rows: told } = await world.database.db.pool.query<{ type: string }>(
    'select type from event where company_id = $1 order by id desc limit 4',
    [story.shop.companyId],
  )
  expect(told.map(({ type }) => type).toReversed()).toEqual([
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
      temperature: 'hot',
      score: 85,
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
    await story.publish({
      trigger,
      steps: { hello: { kind: 'lead', temperature: 'cold', score: 5, summary, next: null } },
    })
    await story.publish({
      trigger: { kind: 'keyword', words: ['more'] },
      steps: { hello: { kind: 'lead', score: 50, summary: '{{vars.none}}', next: null } },
    })
    await say(story, 'offer')
    await say(story, 'more')
    await say(story, 'more')
    expect(await leadsOf(story)).toMatchObject([
      {
        status: 'open',
        temperature: 'cold',
        score: 50,
        summary: summary.slice(0, LEAD_LIMITS.summaryChars),
      },
    ])
    expect(story.shop.events('lead.qualified')).toEqual([])
  },
)

test.each([-1, 100.5, 101])('A draft with the score %s is refused', async (score) => {
  const story = await tellStory(world, whatsApp)
  const steps = { hello: { kind: 'lead', score, next: null } }
  await expect(story.publish({ trigger, steps })).rejects.toThrow(/score/)
})
