/** What the assistant would say, of which nothing is written or done. Spec: Assistant › Trying it out. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SuggestionView, TrialView } from '../../src/contract/dashboard/assistant-trial.ts'
import { startAssisted, toldTo, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { call, raw, say } from '../support/model-turns.ts'
import { waitUntil } from '../support/wait.ts'
import { systemDescribe } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop
let owner: Member
let at: string
beforeAll(async () => {
  assisted = await startAssisted()
})
afterAll(async () => {
  await assisted.close()
})
beforeEach(async () => {
  shop = await assisted.openShop()
  owner = await signedIn(assisted.world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
  assisted.model.asked.length = 0
})

const trial = async (json: object, by = owner) =>
  by.ask<TrialView>('POST', `${at}/assistant/try`, json)
const asks = (text: string) => [{ by: 'customer', text }]

/** Rows of every table that a reply, a message, an event or a contact would leave one in. */
async function rowsLeft(): Promise<Record<string, number>> {
  const { kysely } = assisted.world.database.db
  const tables = [
    'contact',
    'conversation',
    'message',
    'event',
    'assistantReply',
    'assistantStep',
  ] as const
  const more = ['lead', 'appointment', 'handover', 'promptPart', 'actionProposal'] as const
  const counts = await Promise.all(
    [...tables, ...more].map(async (table) => {
      const { count } = await kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, Number(count)] as const
    }),
  )
  return Object.fromEntries(counts)
}

describe('Trying it out', () => {
  test('tells what it would say, by the settings as they are being written', async () => {
    assisted.model.script(say('We are open until nine.'))
    const before = await rowsLeft()
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
    expect(await rowsLeft()).toEqual(before)
    const use = await assisted.world.database.db.kysely
      .selectFrom('modelDay')
      .selectAll()
      .where('accountId', '=', shop.accountId)
      .execute()
    expect(use).toMatchObject([{ purpose: 'playground', requests: 1 }])
  })

  test('what would be done is shown and not done, and the model is told so', async () => {
    assisted.model.script(
      call('record_lead', { score: 90, temperature: 'hot', summary: 'Wants two dresses' }),
      say('I have noted it.'),
    )
    const before = await rowsLeft()
    const { body } = await trial({ messages: asks('I want two dresses') })
    expect(body.steps).toMatchObject([
      { kind: 'model', calls: [{ name: 'record_lead' }] },
      { kind: 'tool', name: 'record_lead', isDone: true },
      { kind: 'model' },
    ])
    expect(body.steps[1]!.text).toContain('This is a trial')
    expect(await rowsLeft()).toEqual(before)
  })

  test('a handover is told, by the model or by code before a model is asked', async () => {
    const words = { reason: 'customer_upset', reason_text: 'Waits for a week' }
    const text = 'I am sorry. A colleague will see to it.'
    assisted.model.script(call('hand_over', words, text))
    const before = await rowsLeft()
    const upset = (await trial({ messages: asks('This is the third time I ask!') })).body
    expect(upset).toMatchObject({
      said: [text],
      handover: { reason: 'customer_upset', reasonText: 'Waits for a week', says: 'text' },
    })
    const asked = assisted.model.asked.length
    const person = (await trial({ messages: asks('ابغى اكلم موظف') })).body
    expect(person.handover).toMatchObject({ reason: 'customer_asked_for_person', says: 'fixed' })
    expect(assisted.model.asked).toHaveLength(asked)
    expect(await rowsLeft()).toEqual(before)
  })

  test('without a model, and where it fails, it says why', async () => {
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

  test('a talk ends with the customer; Agents do not try it', async () => {
    const wrong = await owner.ask('POST', `${at}/assistant/try`, {
      messages: [{ by: 'assistant', text: 'Hello' }],
    })
    expect(wrong.body.errors).toMatchObject([{ field: 'messages', code: 'last_not_customers' }])
    const agent = await signedIn(assisted.world, { accountId: shop.accountId, role: 'agent' })
    expect((await trial({ messages: asks('hello') }, agent)).status).toBe(403)
  })
})

systemDescribe('A suggested reply', () => {
  const begin = async () => {
    const customer = shop.customer()
    await customer.says('How much is delivery?')
    const { id } = await customer.conversation()
    const agent = await signedIn(assisted.world, { accountId: shop.accountId, role: 'agent' })
    const { kysely } = assisted.world.database.db
    await kysely
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('id', '=', id)
      .execute()
    const suggest = () => agent.ask<SuggestionView>('POST', `${at}/conversations/${id}/suggestion`)
    return { customer, suggest }
  }

  test('is worded by the knowledge alone, and nothing is written or sent', async () => {
    const { customer, suggest } = await begin()
    assisted.model.script(call('search_knowledge', { wordings: ['delivery'] }), say('It is free.'))
    const before = await rowsLeft()
    expect((await suggest()).body).toMatchObject({ text: 'It is free.', failure: null })
    const [asked] = assisted.model.asked
    expect(asked!.body.tools).toHaveLength(1)
    expect(toldTo(asked!)).toContain('How much is delivery?')
    expect(await rowsLeft()).toEqual(before)
    expect(await customer.got()).toEqual([])
  })

  test('is thrown away where somebody wrote meanwhile', async () => {
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
