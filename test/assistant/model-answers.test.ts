/** Answers of a model that the service does not send as they are: failures, wrong tool calls, and refused texts. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openAssisted, toldTo, type Customer } from '../support/assistant.ts'
import {
  call,
  callAll,
  contextTooLong,
  cutAtLength,
  empty,
  raw,
  refuse,
  say,
} from '../support/model-turns.ts'
import { startNowhere } from '../support/sink-server.ts'
import { allowTokens } from '../support/records/accounts.ts'
import { replyOf } from '../support/records/assistant.ts'
import { leadsOf } from '../support/records/leads.ts'
import { messagesOf } from '../support/records/messages.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const GUIDANCE =
  'Offer a discount of fifteen percent to whoever threatens to leave, and never say that you were told so by us.'

const nowhere = await startNowhere()
const assisted = await openAssisted({
  models: {
    pause: (ms) => {
      assisted.world.clock.advance(ms)
      return Promise.resolve()
    },
  },
})
const shop = await assisted.openShop({
  settings: { guidance: GUIDANCE, profile: 'We are at https://shop.example/branches.' },
})
afterAll(() => nowhere.close())
beforeEach(() => {
  assisted.model.otherwise = say('Hello.')
})

const QUESTION = 'When do you open?'
const ANSWER = say('We open at nine.')
const modelRequests = () => assisted.model.asked
const missing = (detail: string) => [{ reason: 'missing_information', reasonText: null, detail }]

/** Lets a number of seconds pass, five at a time. */
async function seconds(count: number): Promise<void> {
  for (let second = 0; second < count; second += 5) await assisted.pass(5_000)
}

/** Returns the results that the tools of the reply gave the model, in their order. */
const toldByTools = () =>
  modelRequests()
    .at(-1)!
    .body.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))

systemDescribe('A model that fails', () => {
  test('answers if it is back within the minute', async () => {
    // The time closes the circuit breaker of the test before.
    await assisted.pass(60_000)
    assisted.model.otherwise = refuse(500)
    const sara = await shop.asked(QUESTION)
    assisted.model.otherwise = ANSWER
    await seconds(50)
    expect(await sara.got()).toEqual(['We open at nine.'])
  })

  test('with empty answers has not answered', async () => {
    const sara = await shop.asked(QUESTION, empty(), empty(), empty(), empty())
    await seconds(30)
    expect(await sara.got()).toHaveLength(1)
  })

  test('because the conversation is too long gets a shorter one, once', async () => {
    const sara = shop.customer()
    for (let nth = 0; nth < 12; nth += 1) {
      await sara.says(`Question ${nth}`)
      await seconds(20)
    }
    modelRequests().length = 0
    await sara.asks(QUESTION, contextTooLong(), ANSWER)
    expect(modelRequests()[1]!.body.messages.length).toBeLessThan(
      modelRequests()[0]!.body.messages.length,
    )
    expect((await sara.got()).at(-1)).toBe('We open at nine.')
  })

  test('because the quota is used up leads to a handover immediately', async () => {
    const poor = await assisted.openShop()
    await allowTokens(assisted.world, poor, 10)
    const sara = await poor.asked('one')
    await sara.asks('two')
    expect(modelRequests()).toHaveLength(1)
    expect(await sara.handovers()).toEqual(missing('allowance_used_up'))
  })
})

describe('Tools', () => {
  const searches = (...wordings: string[]) =>
    callAll(
      ...wordings.map((one) => ({ name: 'search_knowledge', input: { wordings: [one] }, id: one })),
    )

  test.each([
    ['no JSON object', call('search_knowledge', '{"wordings": [unquoted]}')],
    ['There is no such tool', call('launch_rocket', {})],
  ])(
    'called wrongly are refused with the reason “%s”, and may be called again',
    async (why, turn) => {
      const right = call('search_knowledge', { wordings: ['opening hours'] })
      const sara = await shop.asked(QUESTION, turn, right, ANSWER)
      expect(toldTo(modelRequests()[1]!)).toContain(why)
      expect(await sara.got()).toEqual(['We open at nine.'])
    },
  )

  systemTest(
    'called without end are not offered in the last request, and a text is sent',
    async () => {
      assisted.model.otherwise = ({ body }) =>
        body.tool_choice === 'none' || !body.tools?.length
          ? say('I could not find it.')
          : call('search_knowledge', { wordings: ['opening hours'] })
      const sara = await shop.asked(QUESTION)
      expect(modelRequests().length).toBeLessThanOrEqual(6)
      expect(await sara.got()).toEqual(['I could not find it.'])
    },
  )

  test('may be called twice with the same arguments, not three times', async () => {
    const sara = await shop.asked(QUESTION, searches('hours', 'hours', 'hours'), ANSWER)
    const refused = toldByTools().map((text) => text.includes('twice already'))
    expect(refused).toEqual([false, false, true])
    expect(await sara.got()).toEqual(['We open at nine.'])
  })

  systemTest('search at most four times in a reply', async () => {
    await shop.asked(QUESTION, searches('a1', 'b2', 'c3', 'd4', 'e5'), ANSWER)
    const refused = toldByTools().map((text) => text.includes('no searches left'))
    expect(refused).toEqual([false, false, false, false, true])
  })

  test('are no longer offered after three refused calls, so that the model answers with a text', async () => {
    assisted.model.otherwise = ({ body }) =>
      body.tool_choice === 'none' ? say('I could not find it.') : call('launch_rocket', {})
    const sara = await shop.asked(QUESTION)
    const isOffered = modelRequests().map(({ body }) => body.tool_choice !== 'none')
    expect(isOffered).toEqual([true, true, true, false])
    expect(await sara.got()).toEqual(['I could not find it.'])
  })

  test('are not called once a reply has taken 60 s, which is handed over', async () => {
    assisted.model.otherwise = () => {
      assisted.world.clock.advance(60_000)
      return call('record_lead', { score: 90 })
    }
    const sara = await shop.asked('What do forty boxes cost?')
    const { id: conversationId } = await sara.conversation()
    expect(await leadsOf(assisted.world, { conversationId })).toEqual([])
    expect(await sara.handovers()).toEqual(missing('out_of_time'))
    expect(modelRequests()).toHaveLength(1)
  })

  test('called together run in their order, and their results go back together', async () => {
    const same = callAll(
      { name: 'search_knowledge', input: { wordings: ['hours'] }, id: 'same' },
      { name: 'launch_rocket', input: {}, id: 'same' },
    )
    const sara = await shop.asked(QUESTION, same, ANSWER)
    expect(modelRequests()).toHaveLength(2)
    const [found, refused, ...more] = toldByTools()
    expect(found).toContain('Nothing was found')
    expect(refused).toContain('There is no such tool')
    expect(more).toEqual([])
    expect(await sara.got()).toEqual(['We open at nine.'])
  })
})

describe('A text that is not sent as the model wrote it', () => {
  const TOLD = say(`I was told: ${GUIDANCE}`)

  test('repeats 100 characters of the instructions: the model is asked once more', async () => {
    const sara = await shop.asked('Is there anything else?', TOLD, say('No, that is all.'))
    expect(await sara.got()).toEqual(['No, that is all.'])
  })

  systemTest('repeats them a second time: it is replaced', async () => {
    const sara = await shop.asked('Is there anything else?', TOLD, TOLD)
    expect((await sara.got())[0]).not.toContain('fifteen')
  })

  systemTest('claims a result although nothing was called', async () => {
    const done = say('Your order is cancelled.')
    const words = 'I could not cancel it here.'
    expect(await (await shop.asked('Cancel my order', done, say(words))).got()).toEqual([words])
    const again = say('Your order has been cancelled.')
    const sara = await shop.asked('Cancel my order', done, again)
    expect((await sara.got()).join()).not.toContain('cancelled')
    expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
  })

  systemTest('accompanies a handover: the customer gets a sentence of the shop', async () => {
    const given = call('hand_over', { reason: 'needs_staff_action' }, `I was told: ${GUIDANCE}`)
    const sara = await shop.asked('Cancel my order', given)
    const [text, ...more] = await sara.got()
    expect(more).toEqual([])
    expect(text).not.toContain('fifteen')
    expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
  })

  test('uses another script than the customer: the model is asked once more', async () => {
    const sara = await shop.asked('متى تفتحون؟', ANSWER, say('نفتح الساعة التاسعة.'))
    expect(await sara.got()).toEqual(['نفتح الساعة التاسعة.'])
  })
})

const SENTENCE = 'This is a sentence of the answer that goes on for a while. '
const sentences = (chars: number) => SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trim()

systemTest(
  '5,000 characters are sent as two parts, in order, split between sentences',
  async () => {
    const sara = await shop.asked('Tell me all', say(sentences(5_000)))
    const parts = await sara.got()
    expect(parts).toHaveLength(2)
    expect(parts.every((part) => part.endsWith('.') && part.length <= 4_096)).toBe(true)
    expect(parts.join(' ')).toBe(sentences(5_000))
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }])
  },
)

systemDescribe('A text of four parts', () => {
  test('is requested once more, shorter', async () => {
    const sara = await shop.asked('Tell me all', say(sentences(13_000)), say('In short: yes.'))
    expect(await sara.got()).toEqual(['In short: yes.'])
    expect(JSON.stringify(modelRequests()[1]!.body)).toContain('too long')
  })

  test('is handed over if it stays too long', async () => {
    const turns = [say(sentences(13_000)), cutAtLength(sentences(3_000))]
    const sara = await shop.asked('Tell me all', ...turns)
    expect(await sara.got()).toHaveLength(1)
    expect(await sara.handovers()).toEqual(missing('too_long'))
  })
})

describe('A part whose send', () => {
  systemTest('has no answer ends the reply, and the next message is answered', async () => {
    const sara = shop.customer('+966501000000')
    assisted.model.script(say(sentences(5_000)), say('Anything else?'))
    await sara.says('Tell me all')
    // Receipts go elsewhere, so that none reports the send.
    shop.sendWebhooksTo(nowhere.url)
    await assisted.pass(3_000)
    expect(await sara.replies()).toMatchObject([{ state: 'unknown' }])
    await assisted.pass(60_000)
    const { id: conversationId } = await sara.conversation()
    const sent = () => messagesOf(assisted.world, { conversationId, sender: 'assistant' })
    expect(await sent()).toHaveLength(1)
    shop.sendWebhooksTo(`${assisted.world.url}/webhooks/whatsapp`)
    await sara.asks('hello?')
    expect(await sent()).toHaveLength(2)
    expect(toldTo(modelRequests()[1]!)).toContain('hello?')
  })

  test('is refused for good leads to staff', async () => {
    const sara = shop.customer('+966501131030')
    await sara.asks('hello')
    expect(await sara.handovers()).toMatchObject([
      { reason: 'needs_staff_action', detail: 'send_refused' },
    ])
  })

  test('is refused for now is retried, without a handover meanwhile', async () => {
    const sara = shop.customer('+966501130429')
    await sara.asks('hello')
    await assisted.pass(60_000)
    expect(await sara.handovers()).toEqual([])
    expect(await sara.replies()).toMatchObject([{ state: 'sending' }])
  })
})

describe('Data that a server wants back within the tool calls of one reply', () => {
  /** Returns a complete answer that calls the search, with these members in its message and its call. */
  const searches = (ofMessage: object, ofCall: object = {}) => {
    const used = { name: 'search_knowledge', arguments: '{"wordings":["hours"]}' }
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: used, ...ofCall }],
      ...ofMessage,
    }
    return raw(
      200,
      JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    )
  }
  const THOUGHT = 'They ask for the hours; I look them up.'
  const signature = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } }
  const carriedFor = async (customer: Customer) => {
    const [reply] = await customer.replies()
    return (await replyOf(assisted.world, reply!.id)).carried
  }
  const spoken = (at: number) =>
    modelRequests()[at]!.body.messages.filter(({ role }) => role === 'assistant')

  test('is returned with the results of its calls, and deleted after the reply', async () => {
    const sara = await shop.asked(QUESTION, searches({ reasoning_content: THOUGHT }), ANSWER)
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(spoken(1)).toMatchObject([{ reasoning_content: THOUGHT, tool_calls: [{}] }])
    expect(await carriedFor(sara)).toBeNull()
    expect(JSON.stringify(await sara.trace())).not.toContain(THOUGHT)
    expect(assisted.world.logged.join('')).not.toContain(THOUGHT)
    await sara.asks('And on Friday?', ANSWER)
    expect(modelRequests().at(-1)!.wire).not.toContain(THOUGHT)
  })

  test('is encrypted while the reply waits for the model', async () => {
    const sara = shop.customer()
    let carried: string | null = null
    assisted.model.otherwise = () => {
      const release = assisted.model.hold()
      void carriedFor(sara).then((found) => {
        carried = found
        release()
      })
      return ANSWER
    }
    await sara.asks(QUESTION, searches({ reasoning_content: THOUGHT }))
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(carried).toMatch(/^v1\./)
    expect(carried).not.toContain('hours')
  })

  test('includes the signature of each call, if the server signs them', async () => {
    const sara = await shop.asked(QUESTION, searches({}, signature), ANSWER)
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(spoken(1)).toMatchObject([{ tool_calls: [signature] }])
  })

  test('is left out if the server refuses it', async () => {
    const turns = [searches({ reasoning_content: THOUGHT }), refuse(400), ANSWER]
    const sara = await shop.asked(QUESTION, ...turns)
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(modelRequests().map(({ wire }) => wire.includes(THOUGHT))).toEqual([false, true, false])
  })

  systemTest('is left out if it is too large or of another kind', async () => {
    const long = 'x'.repeat(70_000)
    for (const turn of [searches({ reasoning_content: long }), searches({ reasoning: THOUGHT })]) {
      modelRequests().length = 0
      await shop.asked(QUESTION, turn, ANSWER)
      expect(spoken(1)).toHaveLength(1)
      expect(spoken(1)[0]).not.toHaveProperty('reasoning_content')
    }
  })
})
