import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAssisted, toldTo, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { call, callAll, contextTooLong, empty, refuse, say } from '../support/model-turns.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted(undefined, {
    models: {
      pause: (ms) => {
        assisted.world.clock.advance(ms)
        return Promise.resolve()
      },
    },
  })
  shop = await assisted.openShop()
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
  assisted.model.otherwise = say('Hello.')
})

const asked = () => assisted.model.asked

systemTest('all models fail for 60 s: missing information, one fixed text', async () => {
  const sara = shop.customer()
  assisted.model.otherwise = refuse(500)
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(await sara.handovers()).toEqual([])
  for (let second = 0; second < 70; second += 5) await assisted.pass(5_000)
  expect(await sara.got()).toHaveLength(1)
  expect(await sara.handovers()).toEqual([
    { reason: 'missing_information', reasonText: null, detail: 'model_unavailable' },
  ])
})

systemTest('a model that comes back within the minute answers', async () => {
  // The circuit of the test before is closed again.
  await assisted.pass(60_000)
  const sara = shop.customer()
  assisted.model.otherwise = refuse(500)
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  assisted.model.otherwise = say('We open at nine.')
  for (let second = 0; second < 50; second += 5) await assisted.pass(5_000)
  expect(await sara.got()).toEqual(['We open at nine.'])
})

test('bad JSON arguments, then good ones: put right within the limits', async () => {
  const sara = shop.customer()
  assisted.model.script(
    call('search_knowledge', '{"wordings": [unquoted]}'),
    call('search_knowledge', { wordings: ['opening hours'] }),
    say('We open at nine.'),
  )
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(toldTo(asked()[1]!)).toContain('no JSON object')
  expect(await sara.got()).toEqual(['We open at nine.'])
})

test('a tool that there is not: refused in words', async () => {
  const sara = shop.customer()
  assisted.model.script(call('launch_rocket', {}), say('We open at nine.'))
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(toldTo(asked()[1]!)).toContain('There is no such tool')
  expect(await sara.got()).toEqual(['We open at nine.'])
})

systemTest(
  'the same tool for ever: the last request has no tools, and a text is sent',
  async () => {
    const sara = shop.customer()
    assisted.model.otherwise = ({ body }) =>
      body.tool_choice === 'none' || !body.tools?.length
        ? say('I could not find it.')
        : call('search_knowledge', { wordings: ['opening hours'] })
    await sara.says('When do you open?')
    await assisted.pass(3_000)
    expect(asked().length).toBeLessThanOrEqual(6)
    expect(await sara.got()).toEqual(['I could not find it.'])
  },
)

/** What the tools of the reply told the model, in their order. */
const toldByTools = () =>
  asked()
    .at(-1)!
    .body.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))

const searches = (...wordings: string[]) =>
  callAll(
    ...wordings.map((one) => ({ name: 'search_knowledge', input: { wordings: [one] }, id: one })),
  )

test('a tool is used twice with the same arguments, not three times', async () => {
  const sara = shop.customer()
  assisted.model.script(searches('hours', 'hours', 'hours'), say('We open at nine.'))
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(toldByTools().map((text) => text.includes('twice already'))).toEqual([false, false, true])
  expect(await sara.got()).toEqual(['We open at nine.'])
})

systemTest('a reply searches four times, and no more', async () => {
  const sara = shop.customer()
  assisted.model.script(searches('a1', 'b2', 'c3', 'd4', 'e5'), say('We open at nine.'))
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  const refused = toldByTools().map((text) => text.includes('no searches left'))
  expect(refused).toEqual([false, false, false, false, true])
})

test('after the third refused tool none is offered, so that a text comes of it', async () => {
  const sara = shop.customer()
  assisted.model.otherwise = ({ body }) =>
    body.tool_choice === 'none' ? say('I could not find it.') : call('launch_rocket', {})
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(asked().map(({ body }) => body.tool_choice === 'none')).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(await sara.got()).toEqual(['I could not find it.'])
})

test('a reply takes 60 s in all: after that no tool is used, and a person is asked for', async () => {
  const sara = shop.customer()
  assisted.model.otherwise = () => {
    assisted.world.clock.advance(60_000)
    return call('record_lead', { score: 90 })
  }
  await sara.says('What do forty boxes cost?')
  await assisted.pass(3_000)
  const { id } = await sara.conversation()
  const leads = assisted.world.database.db.kysely.selectFrom('lead').select('id')
  expect(await leads.where('conversationId', '=', id).execute()).toEqual([])
  expect(await sara.handovers()).toEqual([
    { reason: 'missing_information', reasonText: null, detail: 'out_of_time' },
  ])
  expect(asked()).toHaveLength(1)
})

test('calls of one answer are made in their order, and told of together', async () => {
  const sara = shop.customer()
  assisted.model.script(
    callAll(
      { name: 'search_knowledge', input: { wordings: ['hours'] }, id: 'same' },
      { name: 'launch_rocket', input: {}, id: 'same' },
    ),
    say('We open at nine.'),
  )
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  const tools = asked()[1]!.body.messages.filter(({ role }) => role === 'tool')
  expect(tools).toHaveLength(2)
  expect(await sara.got()).toEqual(['We open at nine.'])
})

systemTest('a history that is too long for the model is shortened once', async () => {
  const sara = shop.customer()
  for (let nth = 0; nth < 12; nth += 1) {
    await sara.says(`Question ${nth}`)
    await assisted.pass(10_000)
  }
  asked().length = 0
  assisted.model.script(contextTooLong(), say('We open at nine.'))
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(asked()[1]!.body.messages.length).toBeLessThan(asked()[0]!.body.messages.length)
  expect((await sara.got()).at(-1)).toBe('We open at nine.')
})

systemTest('an empty answer is no answer', async () => {
  const sara = shop.customer()
  assisted.model.script(empty(), empty(), empty(), empty())
  await sara.says('When do you open?')
  for (let second = 0; second < 30; second += 5) await assisted.pass(5_000)
  expect(await sara.got()).toHaveLength(1)
})

systemTest('the allowance is used up: handed over at once', async () => {
  const poor = await assisted.openShop()
  await assisted.world.database.db.kysely
    .updateTable('account')
    .set({ modelTokensPerDay: 10 })
    .where('id', '=', poor.accountId)
    .execute()
  const sara = poor.customer()
  await sara.says('one')
  await assisted.pass(3_000)
  await sara.says('two')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(1)
  expect(await sara.handovers()).toMatchObject([
    { reason: 'missing_information', detail: 'allowance_used_up' },
  ])
})
