/**
 * Steps with values that are empty or too long, branches on the service window, and the leads that flows make. Flows
 * › Steps; Concepts › Channel capabilities; readings F35, F40, N6.
 */
import { expect, test } from 'vitest'
import { LEAD_LIMITS } from '../../../src/core/limits/leads.ts'
import type { Page } from '../../../src/contract/dashboard/page.ts'
import type { LeadView } from '../../../src/contract/dashboard/lead.ts'
import { CONTACT_LIMITS } from '../../../src/core/limits/contacts.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { keyword, saying, type Story, tellStory } from '../triggers/trigger-stories.ts'
import { entriesOf } from '../../support/records/handovers.ts'
import { moveToChannelType } from '../../support/records/moved-conversations.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const begin = () => tellStory(world, whatsApp)
const WAITS = { kind: 'wait_for_reply', timeoutMinutes: 60, onTimeout: null }
const EMPTY = ' {{vars.nothing}} '

async function addField({ owner, shop }: Pick<Story, 'owner' | 'shop'>, field: object) {
  const made = await owner.ask('POST', `/companies/${shop.companyId}/contact-fields`, field)
  expect(made.status).toBe(201)
}

test('A field keeps as much of a text as it holds; an empty note leaves no line', async () => {
  const { publishOrder, say, conversation, ...told } = await begin()
  await addField(told, { key: 'wish', label: 'Wish', kind: 'text' })
  await publishOrder({
    hello: { ...WAITS, saveAs: 'wish', next: 'keep' },
    keep: { kind: 'set_field', key: 'wish', text: '{{vars.wish}}', next: 'none' },
    none: { kind: 'note', text: EMPTY, next: null },
  })
  const text = `A sofa ${'😀'.repeat(CONTACT_LIMITS.fieldValueChars)}`
  for (const said of ['order', text]) await say(said)
  const wish = [...text].slice(0, CONTACT_LIMITS.fieldValueChars).join('')
  expect(told.shop.events('contact.updated')).toMatchObject([
    { data: { contact: { fields: { wish } } } },
  ])
  expect(await entriesOf(world, (await conversation()).id)).toEqual([])
})

systemTest('A field keeps values of its kind, and others are reported', async () => {
  const { publishOrder, say, lastRun, ...told } = await begin()
  await addField(told, { key: 'age', label: 'Age', kind: 'number' })
  const choices = ['Small', 'Large']
  await addField(told, { key: 'size', label: 'Size', kind: 'choice', choices })
  const set = (key: string, text: string, next: string) => {
    return { kind: 'set_field', key, text, next }
  }
  const is = (key: string, value: string) => ({ of: 'field', key, is: 'equal', value })
  const kept = { match: 'all', conditions: [is('age', '25'), is('size', 'Large')], next: 'tag' }
  await publishOrder({
    hello: set('age', '٢٥', 'size'),
    size: set('size', ' large ', 'none'),
    none: set('age', 'twenty', 'huge'),
    huge: set('size', 'Huge', 'which'),
    which: { kind: 'branch', branches: [kept], otherwise: null },
    tag: { kind: 'tag', add: ['kept'], next: null },
  })
  await say('order')
  expect(told.shop.events('contact.updated')).toMatchObject([
    { data: { contact: { tags: ['kept'], fields: { age: '25', size: 'Large' } } } },
  ])
  const { status, steps } = await lastRun()
  expect(status).toBe('completed')
  const done = { status: 'done', detail: null }
  const left = (key: string) => ({
    status: 'failed',
    detail: { code: 'field_not_set', params: { key } },
  })
  expect(steps.slice(0, 4)).toMatchObject([done, done, left('age'), left('size')])
})

systemTest('A message that is empty once filled in fails its run unsent', async () => {
  const { publishOrder, say, shop, sent, lastRun } = await begin()
  await publishOrder({ hello: saying(EMPTY) })
  await say('order')
  expect(shop.events('flow.failed')).toHaveLength(1)
  expect(sent()).toEqual([])
  expect((await lastRun()).endDetail).toMatchObject({ code: 'text_empty' })
})

systemTest('A handover whose reason is empty once it is filled in has none', async () => {
  const { publishOrder, say, shop } = await begin()
  await publishOrder({ hello: { kind: 'handover', text: EMPTY } })
  await say('order')
  expect(shop.events('conversation.handover')).toMatchObject([{ data: { reasonText: null } }])
})

test('A filled-in text of over 4,096 characters for WhatsApp fails the run, which says by how much', async () => {
  const { publishOrder, say, sent, lastRun } = await begin()
  await publishOrder({
    hello: { ...WAITS, saveAs: 'answer', next: 'echo' },
    echo: saying('{{vars.answer}}{{vars.answer}}'),
  })
  for (const said of ['order', 'x'.repeat(2_049)]) await say(said)
  const params = { length: 4_098, max: 4_096, unit: 'code_points' }
  const endDetail = { code: 'text_too_long', params }
  expect(await lastRun()).toMatchObject({ status: 'failed', endReason: 'error', endDetail })
  expect(sent()).toEqual([])
})

systemTest.each([
  ['whatsapp', DAY_MS - MINUTE_MS, 'open'],
  ['whatsapp', DAY_MS, 'closed'],
  ['telegram', 10 * DAY_MS, 'open'],
])('For a branch on %s, %d ms after a message, the window is %s', async (type, ms, tag) => {
  const { publishOrder, say, shop, contact } = await begin()
  const tagged = (name: string) => ({ kind: 'tag', add: [name], remove: [], next: null })
  const branch = (isOpen: boolean, next: string) => {
    return { match: 'all', conditions: [{ of: 'window', isOpen }], next }
  }
  await publishOrder({
    hello: { kind: 'wait', until: { kind: 'minutes', minutes: ms / MINUTE_MS }, next: 'which' },
    which: {
      kind: 'branch',
      branches: [branch(true, 'open'), branch(false, 'closed')],
      otherwise: null,
    },
    open: tagged('open'),
    closed: tagged('closed'),
  })
  await say('order')
  await moveToChannelType(world, shop, type)
  world.clock.advance(ms)
  await whatsApp.settle()
  expect((await contact())?.tags).toEqual([tag])
})

const leadsOf = async ({ owner, shop }: Story) =>
  (await owner.ask<Page<LeadView>>('GET', `/companies/${shop.companyId}/leads`)).body.items

test('A qualified lead of the flow has its event before those of the handover and the end', async () => {
  const story = await begin()
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
  expect(story.eventTypes().slice(-4)).toEqual([
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

systemTest('A second run updates the lead, and keeps what its step omits', async () => {
  const story = await begin()
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
})

test.each([-1, 100.5, 101])('A draft with the score %s is refused', async (score) => {
  const { publishOrder } = await begin()
  const publishing = publishOrder({ hello: { kind: 'lead', score, next: null } })
  await expect(publishing).rejects.toThrow(/score/)
})
