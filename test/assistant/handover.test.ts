/** Handovers to staff: their reasons, the text for the customer, and the time after them. */
import { describe, expect, test } from 'vitest'
import { assistantWords } from '../../src/i18n/assistant-words.ts'
import { openAssisted, toldTo, type Customer } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say } from '../support/model-turns.ts'
import { messagesOf, repeatMessage } from '../support/records/messages.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const TEXTS = {
  ar: { inHours: 'سيرد عليك أحد من متجرنا.', outOfHours: null },
  en: { inHours: 'One of us will answer you.', outOfHours: null },
}
const PERSON = 'I want to talk to a person'
const NOBODY = { reasonText: null, detail: null }

const assisted = await openAssisted()
const { clock } = assisted.world
const shop = await assisted.openShop({ settings: { texts: JSON.stringify(TEXTS) } })

const modelRequests = () => assisted.model.asked
const events = () => shop.events('conversation.handover')

async function acts(sara: Customer, what: string, json?: object) {
  await sara.staff(what, json)
  await assisted.whatsApp.settle()
}

describe('A customer who asks for a person', () => {
  test('gets one sentence for «ابغى اكلم موظف», and no model is asked', async () => {
    const sara = await shop.asked('ابغى اكلم موظف')
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.got()).toEqual([TEXTS.ar.inHours])
    expect(await sara.handovers()).toEqual([{ reason: 'customer_asked_for_person', ...NOBODY }])
    expect(await sara.conversation()).toMatchObject({ handledBy: 'staff', needsStaff: true })
    expect(await sara.replies()).toMatchObject([{ state: 'handed_over' }])
  })

  test.each(['هو انا بكلم بني ادم ولا روبوت؟', 'am I talking to a bot or a human?'])(
    'is not one who writes «%s»: the assistant answers, with the instruction to say what it is',
    async (question) => {
      const sara = await shop.asked(question, say('أنا مساعد المتجر الآلي.'))
      expect(toldTo(modelRequests()[0]!)).toContain('say that you are an assistant and no person')
      expect(await sara.got()).toEqual(['أنا مساعد المتجر الآلي.'])
      expect(await sara.handovers()).toEqual([])
      expect(await sara.conversation()).toMatchObject({ handledBy: 'assistant' })
    },
  )
})

systemDescribe('A conversation that was handed over', () => {
  test('gets no reply until it is resolved, after which another handover raises an event again', async () => {
    const sara = await shop.asked(PERSON)
    const before = events().length
    await sara.says('hello?')
    await assisted.pass(10_000)
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.got()).toHaveLength(1)
    expect(events()).toHaveLength(before)
    await acts(sara, 'resolve')
    await sara.asks('hello again')
    expect(modelRequests()).toHaveLength(1)
    await sara.asks(PERSON)
    expect(events()).toHaveLength(before + 1)
  })

  test("is answered once it is returned, with staff's texts marked as theirs and no trace of the handover", async () => {
    const given = { reason: 'needs_staff_action', reason_text: 'Wants a call.' }
    const sara = await shop.asked('Can you call me?', call('hand_over', given, 'One moment.'))
    assisted.model.asked.length = 0
    await acts(sara, 'messages', { key: 'a', text: 'I will call you tomorrow' })
    await acts(sara, 'give-back')
    await sara.asks('And when do you open?', say('We open at nine.'))
    expect((await sara.got()).at(-1)).toBe('We open at nine.')
    const { messages } = modelRequests()[0]!.body
    expect(toldTo(modelRequests()[0]!)).toContain(
      '(Written by staff of the business:) I will call you tomorrow',
    )
    expect(messages.filter(({ role, tool_calls }) => role === 'tool' || tool_calls)).toEqual([])
    expect(JSON.stringify(messages)).not.toContain('Wants a call.')
  })
})

systemDescribe('A burst of messages', () => {
  test('with the same text four times is handed over, and the count restarts when it is returned', async () => {
    const sara = shop.customer()
    const asks = async () => {
      await sara.asks('Where is my order?')
      await assisted.pass(10_000)
    }
    for (let nth = 1; nth <= 4; nth += 1) await asks()
    expect(await sara.handovers()).toMatchObject([{ reason: 'message_burst' }])
    expect(await sara.got()).toHaveLength(3)
    await acts(sara, 'give-back')
    clock.advance(1_000)
    await asks()
    expect(await sara.got()).toHaveLength(4)
    expect(await sara.handovers()).toHaveLength(1)
  })

  test('does not include imported history, however much of it arrives together', async () => {
    const sara = await shop.asked('hello')
    const { id: conversationId } = await sara.conversation()
    const [hello] = await messagesOf(assisted.world, { conversationId, direction: 'in' })
    const imported = { text: () => 'hello', isImported: true }
    await repeatMessage(assisted.world, hello!.id, 30, imported)
    await sara.asks('When do you open?')
    expect(await sara.handovers()).toEqual([])
    expect(await sara.got()).toHaveLength(2)
  })
})

describe('Messages without text', () => {
  test('include a sticker, which is not answered, and a location, which the model gets by name and address', async () => {
    const sara = shop.customer()
    await sara.sends('sticker')
    await assisted.pass(10_000)
    expect([modelRequests(), await sara.got(), await sara.handovers()]).toEqual([[], [], []])
    await sara.sends('location')
    await assisted.pass(3_000)
    expect(toldTo(modelRequests()[0]!)).toContain('Old Town Gate')
  })

  test('include a video after a text: the text is answered, without a handover', async () => {
    const sara = shop.customer()
    await sara.says('Is this one in stock?')
    await sara.sendsFile({ type: 'video', mimeType: 'video/mp4' })
    await assisted.pass(3_000)
    expect(modelRequests()).toHaveLength(1)
    expect(await sara.got()).toHaveLength(1)
    expect(await sara.handovers()).toEqual([])
  })
})

describe('The model hands over', () => {
  test('with a text, which is sent once, and with a reason for staff', async () => {
    const given = { reason: 'customer_upset', reason_text: 'The parcel came broken.' }
    const text = 'I am sorry. A colleague will write to you.'
    const sara = await shop.asked('It came broken!', call('hand_over', given, text))
    expect(await sara.got()).toEqual([text])
    const told = { reason: 'customer_upset', reasonText: 'The parcel came broken.' }
    expect(await sara.handovers()).toEqual([{ ...told, detail: null }])
    expect(events().at(-1)).toMatchObject({ data: told })
  })

  test("without a text: the customer gets the company's, in their language", async () => {
    const given = call('hand_over', { reason: 'missing_information' })
    const sara = await shop.asked('هل عندكم فرع في أبها؟', given)
    expect(await sara.got()).toEqual([TEXTS.ar.inHours])
  })

  test('for a reason of its list alone: that of a flow is refused, and it may choose again', async () => {
    const text = 'A colleague will look into it.'
    const sara = await shop.asked(
      'Can you change my address?',
      call('hand_over', { reason: 'flow_handover' }),
      call('hand_over', { reason: 'needs_staff_action' }, text),
    )
    expect(await sara.got()).toEqual([text])
    expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
  })
})

systemTest(
  "out of hours the customer gets the company's text for it, or else the service's",
  async () => {
    const en = { inHours: 'Soon.', outOfHours: 'At nine.' }
    const closed = await assisted.openShop({
      settings: { texts: JSON.stringify({ ...TEXTS, en }) },
    })
    const owner = await signedIn(assisted.world, closed)
    const path = `/companies/${closed.companyId}`
    expect((await owner.ask('PATCH', path, { openingHours: {} })).status).toBe(200)
    for (const [text, told] of [
      [PERSON, 'At nine.'],
      ['ابغى اكلم موظف', assistantWords.ar.handed_over_closed],
    ] as const) {
      expect(await (await closed.asked(text)).got()).toEqual([told])
    }
  },
)

systemTest('a handover step of a flow while messages are gathered cancels the reply', async () => {
  const handsOver = await assisted.openShop({
    steps: {
      tell: { ...ORDER_READY_STEPS.tell, next: 'staff' },
      staff: { kind: 'handover', text: 'Wants to change {{vars.order}}', personId: null },
    },
  })
  const sara = handsOver.customer()
  await sara.says('hello')
  await assisted.pass(1_000)
  await handsOver.order(sara.phone)
  await assisted.pass(10_000)
  expect(modelRequests()).toHaveLength(0)
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  expect(await sara.handovers()).toMatchObject([{ reason: 'flow_handover' }])
  const told = handsOver.events('conversation.handover').map(({ data }) => data)
  expect(told).toMatchObject([{ reason: 'flow_handover', reasonText: 'Wants to change 1043' }])
})
