/** Leads, customers and handovers by the assistant's tools. */
import { beforeEach, describe, expect, test } from 'vitest'
import { qualifyLeadAtHandover } from '../../../src/modules/assistant/tools/record-lead.ts'
import { transaction } from '../../../src/infra/database/transaction.ts'
import { TOOL_LIMITS } from '../../../src/core/limits/tools.ts'
import { contactOf } from '../../support/records/contacts.ts'
import { putConversation } from '../../support/records/conversations.ts'
import { leadsOf } from '../../support/records/leads.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openToolWorld } from './tool-world.ts'

const w = await openToolWorld()
beforeEach(async () => {
  await w.clear()
  await w.setUp({ qualifyAt: 70, handsOverQualified: true })
})

const leadOf = (contactId: string) => leadsOf(w.world, { contactId })
const contact = (id: string) => contactOf(w.world, id)
const qualified = async () => (await w.eventsOf('lead.qualified')).length

describe('A lead', () => {
  systemTest('is recorded and changed in one row, with the latest values', async () => {
    const talk = await w.talkTo()
    const summary = 'Forty boxes by Thursday'
    await talk.call('record_lead', { score: 40, temperature: 'warm', summary })
    await talk.call('record_lead', { score: 65 })
    expect(await leadOf(talk.contactId)).toMatchObject([
      { score: 65, temperature: 'warm', summary, source: 'assistant', status: 'open' },
    ])
  })

  systemTest('at the qualifying score is qualified with its handover, with one event', async () => {
    const before = await qualified()
    const talk = await w.talkTo()
    expect((await talk.call('record_lead', { score: 65 })).handsOver).toBeUndefined()
    const told = await talk.call('record_lead', { score: 80 })
    expect(told.handsOver).toEqual({ reason: 'qualified_lead', reasonText: null, qualifies: true })
    // The handover at the end of the reply qualifies the lead.
    expect(await leadOf(talk.contactId)).toMatchObject([{ status: 'open', score: 80 }])
    expect(await qualified()).toBe(before)
    const { deps, shop } = w
    const { contactId, conversationId } = talk
    const company = { id: shop.companyId, name: null }
    const qualify = () =>
      transaction(deps.db, (tx) => {
        const by = { ids: deps.ids, now: deps.clock.now() }
        return qualifyLeadAtHandover(tx, by, { company, contactId, conversationId })
      })
    await qualify()
    expect(await leadOf(contactId)).toMatchObject([{ status: 'qualified', score: 80 }])
    await qualify()
    expect((await talk.call('record_lead', { score: 90 })).handsOver).toBeUndefined()
    expect(await qualified()).toBe(before + 1)
  })

  test('is qualified immediately if the company does not have leads handed over', async () => {
    await w.setUp({ handsOverQualified: false, qualifyAt: 50 })
    const before = await qualified()
    const talk = await w.talkTo()
    expect((await talk.call('record_lead', { score: 50 })).handsOver).toBeUndefined()
    expect(await leadOf(talk.contactId)).toMatchObject([{ status: 'qualified' }])
    expect(await qualified()).toBe(before + 1)
  })

  test('with a score out of range is refused, and the model learns the range', async () => {
    const talk = await w.talkTo()
    for (const args of [{ score: 140 }, { score: -1 }, { score: 7.5 }, { score: '80' }]) {
      const refused = await talk.call('record_lead', args)
      expect([args, refused]).toMatchObject([args, { isDone: false }])
      expect(refused.text).toContain('from 0 to 100')
    }
    for (const args of [{}, null, []]) {
      expect([args, await talk.call('record_lead', args)]).toMatchObject([args, { isDone: false }])
    }
    expect(await leadOf(talk.contactId)).toEqual([])
  })

  test('is not recorded once staff has the conversation or the assistant is off', async () => {
    const talk = await w.talkTo()
    await w.setUp({ isOn: false })
    expect(await talk.call('record_lead', { score: 10 })).toMatchObject({ isDone: false })
    await w.setUp({ isOn: true })
    await putConversation(w.world, talk.conversationId, { handledBy: 'staff' })
    expect(await talk.call('record_lead', { score: 10 })).toMatchObject({ isDone: false })
    expect(await leadOf(talk.contactId)).toEqual([])
  })
})

describe('The customer', () => {
  test('gets a language and tags from the company’s list', async () => {
    const talk = await w.talkTo()
    const told = await talk.call('set_customer', { language: 'ar', tags: ['vip'] })
    expect(told).toMatchObject({ isDone: true, hasEffect: true })
    expect(await contact(talk.contactId)).toMatchObject({ language: 'ar', tags: ['vip'] })
  })

  test.each([
    { tags: ['refund-approved'] },
    { tags: 'vip' },
    { language: 'fr' },
    { phone: '+966500000000' },
    { name: 'The owner' },
    {},
  ])('is not changed by other arguments: %j', async (args) => {
    const talk = await w.talkTo()
    const before = await contact(talk.contactId)
    expect(await talk.call('set_customer', args)).toMatchObject({ isDone: false, hasEffect: false })
    expect(await contact(talk.contactId)).toEqual(before)
  })
})

describe('A handover', () => {
  test('is made by the model for its own reasons', async () => {
    const talk = await w.talkTo()
    const told = await talk.call('hand_over', {
      reason: 'customer_upset',
      reason_text: `Waits since Monday.\u0000${'x'.repeat(600)}`,
    })
    expect(told.handsOver!.reason).toBe('customer_upset')
    expect(told.handsOver!.reasonText).toHaveLength(TOOL_LIMITS.reasonTextChars)
    expect(told.handsOver!.reasonText).not.toContain('\u0000')
  })

  test.each(['flow_handover', 'message_burst', 'qualified_lead', 'unsupported_media', 'no', null])(
    'for %s is refused, and the model may choose again',
    async (reason) => {
      const talk = await w.talkTo()
      const told = await talk.call('hand_over', { reason })
      expect(told).toMatchObject({ isDone: false, hasEffect: false })
      expect(told.handsOver).toBeUndefined()
    },
  )
})

describe('AI actions in a reply', () => {
  test('are made three times, and the fourth is refused with the reason', async () => {
    const { name } = await w.make()
    const talk = await w.talkTo()
    const told = []
    for (let call = 0; call < 4; call += 1) told.push(await talk.call(name, { order: '7' }))
    expect(told.map(({ isDone }) => isDone)).toEqual([true, true, true, false])
    expect(told[3]!.text).toContain('At most 3')
    expect(w.api.requests).toHaveLength(3)
  })

  test('use the number of the conversation, whatever number the customer claims', async () => {
    const { name } = await w.make({
      identity: 'phone',
      request: { path: '/of/{{args.order}}', query: [{ name: 'who', value: '{{identity}}' }] },
    })
    const talk = await w.talkTo('966507770001')
    await talk.write('use +966550000000')
    await talk.call(name, { order: '7' })
    const foreign = await talk.call(name, { order: '7', identity: '+966550000000' })
    expect(foreign.isDone).toBe(false)
    expect(w.api.requests.map(({ url }) => url)).toEqual(['/api/of/7?who=%2B966507770001'])
  })

  test('with GET have no effect, and those that need an agreement are drafted', async () => {
    const read = await w.make()
    const write = await w.make({
      needsConfirmation: false,
      request: { method: 'POST', path: '/x', body: '{"o":"{{args.order}}"}' },
    })
    const asks = await w.make({ needsConfirmation: true })
    const talk = await w.talkTo()
    const use = (name: string) => talk.call(name, { order: '7' })
    expect(await use(read.name)).toMatchObject({ hasEffect: false })
    expect(await use(write.name)).toMatchObject({ hasEffect: true })
    const drafted = await use(asks.name)
    expect(drafted).toMatchObject({ hasEffect: false, isDone: true })
    expect(drafted.proposalId).toEqual(expect.any(String))
  })
})
