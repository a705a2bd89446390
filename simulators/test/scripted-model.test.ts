/** The scripted model of the demonstration: its answers to words and to results of tools, over HTTP. */
import { afterAll, describe, expect, test } from 'vitest'
import { createModelHttpClient } from '../../src/modules/models/model-http-client.ts'
import type { Answer, ChatMessage } from '../../src/modules/models/model.ts'
import { openModel } from '../../src/modules/models/open-model.ts'
import type { OfferedTool } from '../../src/rules/assistant/offered-tool.ts'
import { REFUSED_BY_SERVER } from '../../src/rules/calls/action-answer.ts'
import { SAMPLE_VOICE, SAMPLE_VOICE_WORDS } from '../media-shelf.ts'
import { SCRIPTED_MODEL_NAME, startScriptedModel } from '../model/start-scripted-model.ts'

const model = await startScriptedModel()
const guard = { resolve: () => Promise.resolve([]), isAllowedAddress: () => false }
const client = createModelHttpClient({ kind: 'operator', guard, extraCa: [] })
const { baseUrl } = model
const SET_UP = { kind: 'openai_compatible', modelName: 'x', baseUrl, key: null } as const
afterAll(async () => {
  await client.close()
  await model.close()
})

const tool = (
  name: string,
  properties: Record<string, object> = {},
  required: string[] = Object.keys(properties),
): OfferedTool => ({
  name,
  description: name,
  parameters: { type: 'object', properties, required, additionalProperties: false },
})
const SERVICES = ['زيارة المعرض', 'أخذ المقاسات في المنزل']
const service = { type: 'string', enum: SERVICES }
const text = { type: 'string' }
const TOOLS = [
  tool('search_knowledge', { wordings: { type: 'array', items: text } }),
  tool('find_slots', { service, day: text }, ['service']),
  tool('book_appointment', { service, starts: text }),
  tool('cancel_appointment', { reference: text }, []),
  tool('hand_over', { reason: text, reason_text: text }, ['reason']),
  tool('record_lead', { score: { type: 'integer' } }),
  tool('action_order_status', { number: text }),
  tool('action_cancel_order', { number: text }),
]

async function ask(
  messages: ChatMessage[] | string,
  { tools = TOOLS, note = '' }: { tools?: OfferedTool[]; note?: string } = {},
): Promise<Extract<Answer, { ok: true }>> {
  const said: ChatMessage[] =
    typeof messages === 'string' ? [{ by: 'customer', text: messages }] : messages
  const answer = await openModel(SET_UP, client).call(
    {
      instructions: [{ text: `Rules.\n${note}` }],
      messages: said,
      tools,
      toolChoice: 'auto',
      maxOutputTokens: 800,
    },
    new AbortController().signal,
  )
  if (!answer.ok) throw new Error(answer.failure)
  return answer
}

const called = (answer: Extract<Answer, { ok: true }>) =>
  answer.calls.map(({ name, input }) => [name, JSON.parse(input) as object])
/** Returns the answer after the result of a tool. */
const afterResult = (heard: string, name: string, result: string) =>
  ask([
    { by: 'customer', text: heard },
    { by: 'assistant', text: '', calls: [{ id: 'a', name, input: '{}' }] },
    { by: 'tool', callId: 'a', name, text: `<<data x1>>\n${result}\n<</data x1>>` },
  ])

test('It says that it is no language model', () => {
  expect(SCRIPTED_MODEL_NAME).toContain('no language model')
})

test('It knows the sample of a voice note by its bytes, and hears no other', async () => {
  const { hear } = openModel({ ...SET_UP, transcriptionModel: SCRIPTED_MODEL_NAME }, client)
  const { signal } = new AbortController()
  const mediaType = 'audio/ogg'
  expect(await hear!({ bytes: SAMPLE_VOICE, mediaType }, signal)).toMatchObject({
    ok: true,
    text: SAMPLE_VOICE_WORDS,
  })
  expect(await hear!({ bytes: Buffer.from('OggS'), mediaType }, signal)).toMatchObject({
    ok: false,
    failure: 'bad_request',
  })
})

describe('The model calls the tool for the customer’s request:', () => {
  test.each([
    ['وين طلبي رقم ١٠٤٣؟', 'action_order_status', { number: '1043' }],
    ['Where is my order 1043?', 'action_order_status', { number: '1043' }],
    ['الغي الطلب 1044 لو سمحت', 'action_cancel_order', { number: '1044' }],
    ['please cancel order 1044', 'action_cancel_order', { number: '1044' }],
    ['أبغى ألغي موعدي', 'cancel_appointment', {}],
    ['cancel my appointment', 'cancel_appointment', {}],
    ['أبغى أحجز زيارة للمعرض', 'find_slots', { service: SERVICES[0] }],
    ['can I book a visit?', 'find_slots', { service: SERVICES[0] }],
    ['متى تقدرون تاخذون المقاسات؟', 'find_slots', { service: SERVICES[1] }],
    ['كم سعر التوصيل للرياض؟', 'search_knowledge', { wordings: ['كم سعر التوصيل للرياض؟'] }],
    ['How much is delivery?', 'search_knowledge', { wordings: ['How much is delivery?'] }],
  ])('%s', async (heard, name, input) => {
    expect(called(await ask(heard))).toEqual([[name, input]])
  })

  test.each([
    ['ابغى اكلم موظف', 'customer_asked_for_person'],
    ['let me talk to a human', 'customer_asked_for_person'],
    ['خدمتكم سيئة', 'customer_upset'],
  ])('%s', async (heard, reason) => {
    const answer = await ask(heard)
    expect(called(answer)).toEqual([['hand_over', { reason, reason_text: heard }]])
    expect(answer.text).not.toBe('')
  })

  test('greetings, in the language of the customer', async () => {
    expect((await ask('السلام عليكم')).text).toContain('متجر التجربة')
    expect((await ask('Hello')).text).toContain('demo shop')
  })

  test.each(['نعم، اليوم', 'Later', 'Yes, today'])(
    '%s, which answers the shop, is thanked for',
    async (heard) => {
      const answer = await ask(heard)
      expect(answer).toMatchObject({ calls: [] })
      expect(answer.text).toMatch(/thanks|شكرًا/)
    },
  )

  test('an order without its number is asked for it, and then looked up', async () => {
    const { text: question } = await ask('وين طلبي؟')
    const answer = await ask([
      { by: 'customer', text: 'وين طلبي؟' },
      { by: 'assistant', text: question, calls: [] },
      { by: 'customer', text: '1043' },
    ])
    expect(called(answer)).toEqual([['action_order_status', { number: '1043' }]])
  })
})

describe('The model passes on a tool’s result:', () => {
  const CHUNKS =
    '[1] Delivery\nDelivery in Riyadh costs 25 riyals. It takes two days.\n\n[2] التوصيل\nالتوصيل داخل الرياض بـ 25 ريالًا. يصل خلال يومين.'

  test('a piece of the knowledge in the customer’s language, with its number', async () => {
    expect((await afterResult('كم التوصيل؟', 'search_knowledge', CHUNKS)).text).toBe(
      'التوصيل داخل الرياض بـ 25 ريالًا. يصل خلال يومين. [2]',
    )
    expect((await afterResult('How much is it?', 'search_knowledge', CHUNKS)).text).toBe(
      'Delivery in Riyadh costs 25 riyals. It takes two days. [1]',
    )
  })

  test('a question without knowledge is handed over', async () => {
    const answer = await afterResult(
      'هل عندكم فرع في جدة؟',
      'search_knowledge',
      'Nothing was found. Search once more.',
    )
    expect(called(answer)[0]).toMatchObject(['hand_over', { reason: 'missing_information' }])
  })

  test('the status of an order', async () => {
    const { text: said } = await afterResult(
      'order 1043?',
      'action_order_status',
      'Status: shipped',
    )
    expect(said).toBe('This is what I found: Status: shipped')
  })

  test('a proposal is not reported as done', async () => {
    const result =
      'This is proposed, and stated to the customer below your text. They are asked to agree.'
    expect((await afterResult('cancel order 1044', 'action_cancel_order', result)).text).toBe(
      'One moment:',
    )
  })

  test('free times, of which the customer chooses one', async () => {
    const result = `Free for ${SERVICES[0]} on 2026-11-23 (الاثنين 23 نوفمبر): 09:00, 09:30, 10:00, 10:30, 11:00\nMore that day from 11:30 on.`
    const offer = await afterResult('أبغى أحجز زيارة', 'find_slots', result)
    expect(offer.text).toContain('2026-11-23')
    expect(offer.text).toContain('10:00')
    const choose = (heard: string) =>
      ask([
        { by: 'customer', text: 'أبغى أحجز زيارة' },
        { by: 'assistant', text: offer.text, calls: [] },
        { by: 'customer', text: heard },
      ])
    const booked = [['book_appointment', { service: SERVICES[0], starts: '2026-11-23T10:00' }]]
    expect(called(await choose('10:00'))).toEqual(booked)
    expect(called(await choose('الساعة ١٠ تمام'))).toEqual(booked)
    expect((await afterResult('10:00', 'book_appointment', 'It is booked.')).text).toBe(
      'We look forward to seeing you.',
    )
  })
})

test('The model reports the outcome of a confirmation, as the code has read it', async () => {
  const cameOfIt = 'The customer agreed to what was proposed. What came of it:\n<<data x>>\n'
  const agreed = { note: `${cameOfIt}It is done.` }
  expect((await ask('نعم', agreed)).text).toBe('حسنًا، تمت معالجة طلبك.')
  const refusedThere = { note: cameOfIt + REFUSED_BY_SERVER }
  const arabic = await ask('نعم', refusedThere)
  expect(arabic.text).toContain('لم يقبل المتجر ذلك')
  expect(arabic.calls.map(({ name }) => name)).toEqual(['hand_over'])
  expect((await ask('yes', refusedThere)).text).toContain('The shop didn’t accept that')
  const note = 'The customer refused what was proposed: nothing was done, and it is withdrawn.'
  expect((await ask('no', { note })).text).toBe('All right, I’ll leave everything as it is.')
})

test('Where it may use no tool it talks', async () => {
  const answer = await ask('How much is delivery?', { tools: [] })
  expect(answer).toMatchObject({ calls: [], text: 'How can I help?' })
})

test('It passes the test question of a model that is set up', async () => {
  const answer = await ask('What does line 7 say?', { tools: [tool('read_line', { line: text })] })
  expect(called(answer)).toEqual([['read_line', { line: 7 }]])
})

test('A request by another name than this machine’s is refused, and so is one that cannot be read', async () => {
  const url = new URL(model.baseUrl)
  const other = await fetch(`http://127.0.0.1:${url.port}/v1/models`)
  expect(other.status).toBe(404)
  const rubbish = await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{' })
  expect(rubbish.status).toBe(400)
})
