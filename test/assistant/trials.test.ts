/** Trials of the assistant, which neither write nor send anything. Spec: Assistant › Trying it out. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { SuggestionView, TrialView } from '../../src/contract/dashboard/assistant-trial.ts'
import { openAssisted, toldTo, type AssistedShop } from '../support/assistant.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { call, raw, say } from '../support/model-turns.ts'
import { countLeftByReplies } from '../support/records/assistant.ts'
import { putConversation } from '../support/records/conversations.ts'
import { modelUseOf } from '../support/records/models.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'

let shop: AssistedShop
let owner: Member
let at: string
const assisted = await openAssisted()
const { world } = assisted
beforeEach(async () => {
  shop = await assisted.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})

const trial = async (json: object, by = owner) =>
  by.ask<TrialView>('POST', `${at}/assistant/try`, json)
const asks = (text: string) => [{ by: 'customer', text }]

describe('Trying it out', () => {
  systemTest('shows the reply with the settings that are being edited', async () => {
    assisted.model.script(say('We are open until nine.'))
    const before = await countLeftByReplies(world)
    const { body } = await trial({
      settings: { name: 'Noor', guidance: 'Never speak of discounts.' },
      messages: [
        ...asks('hello'),
        { by: 'assistant', text: 'Hello!' },
        ...asks('When do you close?'),
      ],
    })
    expect(body).toMatchObject({ said: ['We are open until nine.'], handover: null, failure: null })
    const told = toldTo(assisted.model.asked[0]!)
    expect(told).toContain('You are called Noor.')
    expect(told).toContain('Never speak of discounts.')
    expect(body.steps).toMatchObject([{ kind: 'model', text: 'We are open until nine.' }])
    expect(body.parts.some(({ text }) => text.includes('Noor'))).toBe(true)
    expect(await countLeftByReplies(world)).toEqual(before)
    const use = await modelUseOf(world, shop)
    expect(use).toMatchObject([{ purpose: 'playground', requests: 1 }])
  })

  test('shows effects without causing them, and the model learns that it is a trial', async () => {
    assisted.model.script(
      call('record_lead', { score: 90, temperature: 'hot', summary: 'Wants two dresses' }),
      say('I have noted it.'),
    )
    const before = await countLeftByReplies(world)
    const { body } = await trial({ messages: asks('I want two dresses') })
    expect(body.steps).toMatchObject([
      { kind: 'model', calls: [{ name: 'record_lead' }] },
      { kind: 'tool', name: 'record_lead', isDone: true },
      { kind: 'model' },
    ])
    expect(body.steps[1]!.text).toContain('This is a trial')
    expect(await countLeftByReplies(world)).toEqual(before)
  })

  test('checks a text with an underscore, and one with reasoning, as any other', async () => {
    assisted.model.script(say('<think>She asks for a code.</think>Your code is SUMMER_24.'))
    const { status, body } = await trial({ messages: asks('Which code?') })
    expect(status).toBe(200)
    expect(body).toMatchObject({ said: ['Your code is SUMMER_24.'], failure: null })
    expect(body.steps).toMatchObject([
      { text: 'Your code is SUMMER_24.', thought: { tokens: null } },
    ])
    expect(JSON.stringify(body)).not.toContain('asks for a code')
    assisted.model.script(say('I use search_knowledge.'), say('We look for it.'))
    const repaired = (await trial({ messages: asks('How do you know?') })).body
    expect(repaired).toMatchObject({ said: ['We look for it.'] })
    expect(repaired.steps.map(({ failure }) => failure)).toEqual([null, 'tool_name', null])
  })

  test('shows a handover, by the model or by code before a model is asked', async () => {
    const words = { reason: 'customer_upset', reason_text: 'Waits for a week' }
    const text = 'I am sorry. A colleague will see to it.'
    assisted.model.script(call('hand_over', words, text))
    const before = await countLeftByReplies(world)
    const upset = (await trial({ messages: asks('This is the third time I ask!') })).body
    expect(upset).toMatchObject({
      said: [text],
      handover: { reason: 'customer_upset', reasonText: 'Waits for a week', says: 'text' },
    })
    const asked = assisted.model.asked.length
    const person = (await trial({ messages: asks('ابغى اكلم موظف') })).body
    expect(person.handover).toMatchObject({ reason: 'customer_asked_for_person', says: 'fixed' })
    expect(assisted.model.asked).toHaveLength(asked)
    expect(await countLeftByReplies(world)).toEqual(before)
  })

  test('says why there is no reply without a model, or when it fails', async () => {
    assisted.hasModel = false
    const none = (await trial({ messages: asks('hello') })).body
    assisted.hasModel = true
    expect(none).toMatchObject({ said: [], failure: 'no_model' })
    assisted.model.script(raw(401, '{}'))
    expect((await trial({ messages: asks('hello') })).body).toMatchObject({
      said: [],
      failure: 'unauthorized',
    })
  })

  test('needs a conversation that ends with the customer, and is closed to Agents', async () => {
    const wrong = await owner.ask('POST', `${at}/assistant/try`, {
      messages: [{ by: 'assistant', text: 'Hello' }],
    })
    expect(wrong.body.errors).toMatchObject([{ field: 'messages', code: 'last_not_customers' }])
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await trial({ messages: asks('hello') }, agent)).status).toBe(403)
  })
})

systemDescribe('A suggested reply', () => {
  const begin = async () => {
    const customer = shop.customer()
    await customer.says('How much is delivery?')
    const { id } = await customer.conversation()
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    await putConversation(world, id, { handledBy: 'staff' })
    const suggest = () => agent.ask<SuggestionView>('POST', `${at}/conversations/${id}/suggestion`)
    return { customer, suggest }
  }

  test('is written from the knowledge alone, and nothing is stored or sent', async () => {
    const { customer, suggest } = await begin()
    assisted.model.script(call('search_knowledge', { wordings: ['delivery'] }), say('It is free.'))
    const before = await countLeftByReplies(world)
    expect((await suggest()).body).toMatchObject({ text: 'It is free.', failure: null })
    const [asked] = assisted.model.asked
    expect(asked!.body.tools).toHaveLength(1)
    expect(toldTo(asked!)).toContain('How much is delivery?')
    expect(await countLeftByReplies(world)).toEqual(before)
    expect(await customer.got()).toEqual([])
  })

  test('is discarded if the customer writes meanwhile', async () => {
    const { customer, suggest } = await begin()
    const release = assisted.model.hold()
    assisted.model.script(say('It is free.'))
    const suggestion = suggest()
    await waitUntil('the model was asked', () => assisted.model.asked.length > 0)
    await customer.says('And to Jeddah?')
    release()
    expect(await suggestion).toMatchObject({
      status: 409,
      body: { code: 'stale', reason: 'conversation_went_on' },
    })
  })
})
