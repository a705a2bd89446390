import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ASSISTANT_WORDS } from '../../src/words/assistant-words.ts'
import {
  startAssisted,
  toldTo,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say } from '../support/model-turns.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

const TEXTS = JSON.stringify({
  ar: { inHours: 'سيرد عليك أحد من متجرنا.', outOfHours: null },
  en: { inHours: 'One of us will answer you.', outOfHours: null },
})

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop({ settings: { texts: TEXTS } })
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
})

const asked = () => assisted.model.asked
const events = () => shop.events('conversation.handover')

async function acts(sara: Customer, what: string, json?: object) {
  const member = await signedIn(assisted.world, { accountId: shop.accountId })
  const { id } = await sara.conversation()
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}/${what}`
  const answer = await member.ask('POST', path, json)
  expect(answer.status).toBeLessThan(300)
  await assisted.whatsApp.settle()
}

test('«ابغى اكلم موظف»: no model is asked, the customer is told one sentence', async () => {
  const sara = shop.customer()
  await sara.says('ابغى اكلم موظف')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.got()).toEqual(['سيرد عليك أحد من متجرنا.'])
  expect(await sara.handovers()).toEqual([
    { reason: 'customer_asked_for_person', reasonText: null, detail: null },
  ])
  expect(await sara.conversation()).toMatchObject({ handledBy: 'staff', needsStaff: true })
  expect(await sara.replies()).toMatchObject([{ state: 'handed_over' }])
})

test('"Is your agent program open?" asks for no person', async () => {
  const sara = shop.customer()
  await sara.says('Is your agent program open?')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(1)
  expect(await sara.handovers()).toEqual([])
})

test.each(['هو انا بكلم بني ادم ولا روبوت؟', 'am I talking to a bot or a human?'])(
  '«%s» asks for no person: the assistant answers, told to say what it is',
  async (question) => {
    assisted.model.script(say('أنا مساعد المتجر الآلي.'))
    const sara = shop.customer()
    await sara.says(question)
    await assisted.pass(3_000)
    expect(toldTo(asked()[0]!)).toContain('say that you are an assistant and no person')
    expect(await sara.got()).toEqual(['أنا مساعد المتجر الآلي.'])
    expect(await sara.handovers()).toEqual([])
    expect(await sara.conversation()).toMatchObject({ handledBy: 'assistant' })
  },
)

systemTest('a handover is open, the customer writes: silence, and no second event', async () => {
  const sara = shop.customer()
  await sara.says('I want to talk to a person')
  await assisted.pass(3_000)
  const before = events().length
  await sara.says('hello?')
  await assisted.pass(10_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.got()).toHaveLength(1)
  expect(events()).toHaveLength(before)
})

systemTest(
  'given back: answered, with what staff wrote marked as theirs and no word of the handover',
  async () => {
    const sara = shop.customer()
    assisted.model.script(
      call(
        'hand_over',
        { reason: 'needs_staff_action', reason_text: 'Wants a call.' },
        'One moment.',
      ),
    )
    await sara.says('Can you call me?')
    await assisted.pass(3_000)
    assisted.model.asked.length = 0
    await acts(sara, 'messages', { key: 'a', text: 'I will call you tomorrow' })
    await acts(sara, 'give-back')
    assisted.model.script(say('We open at nine.'))
    await sara.says('And when do you open?')
    await assisted.pass(3_000)
    expect((await sara.got()).at(-1)).toBe('We open at nine.')
    expect(toldTo(asked()[0]!)).toContain(
      '(Written by staff of the business:) I will call you tomorrow',
    )
    const { messages } = asked()[0]!.body
    expect(messages.filter(({ role, tool_calls }) => role === 'tool' || tool_calls)).toEqual([])
    expect(JSON.stringify(messages)).not.toContain('Wants a call.')
  },
)

systemTest('resolved: the assistant answers, and a new handover is told of again', async () => {
  const sara = shop.customer()
  await sara.says('I want to talk to a person')
  await assisted.pass(3_000)
  await acts(sara, 'resolve')
  await sara.says('hello again')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(1)
  const before = events().length
  await sara.says('I want to talk to a person')
  await assisted.pass(3_000)
  expect(events()).toHaveLength(before + 1)
})

systemTest(
  '21 messages in 60 s: handed over as a burst, without a text and without a model',
  async () => {
    const sara = shop.customer()
    for (let nth = 1; nth <= 21; nth += 1) {
      await sara.says(`message ${nth}`)
      assisted.world.clock.advance(100)
    }
    await assisted.pass(15_000)
    expect(asked()).toHaveLength(0)
    expect(await sara.got()).toEqual([])
    expect(await sara.handovers()).toMatchObject([{ reason: 'message_burst' }])
  },
)

systemTest(
  'given back after the same text four times: the count starts again from zero',
  async () => {
    const sara = shop.customer()
    const asks = async () => {
      await sara.says('Where is my order?')
      await assisted.pass(3_000)
      await assisted.pass(10_000)
    }
    for (let nth = 1; nth <= 4; nth += 1) await asks()
    expect(await sara.handovers()).toMatchObject([{ reason: 'message_burst' }])
    expect(await sara.got()).toHaveLength(3)
    await acts(sara, 'give-back')
    assisted.world.clock.advance(1_000)
    await asks()
    expect(await sara.got()).toHaveLength(4)
    expect(await sara.handovers()).toHaveLength(1)
  },
)

systemTest('an imported history is no burst, however much of it comes at once', async () => {
  const sara = shop.customer()
  await sara.says('hello')
  await assisted.pass(3_000)
  const { id } = await sara.conversation()
  await assisted.world.database.db.pool.query(
    `insert into message select (json_populate_record(message, json_build_object(
       'id', id || nth, 'provider_message_id', provider_message_id || nth, 'is_imported', true))).*
     from message, generate_series(1, 30) nth where conversation_id = $1 and direction = 'in'`,
    [id],
  )
  await sara.says('When do you open?')
  await assisted.pass(3_000)
  expect(await sara.handovers()).toEqual([])
  expect(await sara.got()).toHaveLength(2)
})

systemTest('buttons pressed quickly, four times: no burst, each is answered', async () => {
  const sara = shop.customer()
  await sara.says('What do you have?')
  await assisted.pass(3_000)
  for (let nth = 1; nth <= 4; nth += 1) {
    assisted.world.clock.advance(1_000)
    const button_reply = { id: `menu-${nth}`, title: `Choice ${nth}` }
    const content = { type: 'interactive', interactive: { type: 'button_reply', button_reply } }
    const at = assisted.world.clock.now()
    const pressed = written({ from: sara.phone.slice(1), content, at, id: newWamid() })
    expect(await postWebhook(assisted.world, webhookOf(shop, [pressed]))).toBe(200)
    // Nothing more is to come: it is answered at once.
    await assisted.whatsApp.settle()
  }
  expect(await sara.handovers()).toEqual([])
  expect(await sara.got()).toHaveLength(5)
})

test('a voice note that cannot be heard: handed over with one sentence', async () => {
  const sara = shop.customer()
  await sara.sends('voice')
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.got()).toHaveLength(1)
  expect(await sara.handovers()).toMatchObject([{ reason: 'unsupported_media' }])
})

test('a photo with a caption: answered, and the model knows of a photo that it cannot see', async () => {
  const sara = shop.customer()
  await sara.sendsFile({ type: 'image', caption: 'do you have this in blue?' })
  await assisted.pass(3_000)
  expect(await sara.got()).toHaveLength(1)
  expect(toldTo(asked()[0]!)).toContain('a photo that you cannot see')
  expect(toldTo(asked()[0]!)).toContain('do you have this in blue?')
})

test('a sticker alone: nothing', async () => {
  const sara = shop.customer()
  await sara.sends('sticker')
  await assisted.pass(10_000)
  expect(asked()).toHaveLength(0)
  expect(await sara.got()).toEqual([])
  expect(await sara.handovers()).toEqual([])
})

test('a text, then a video: the text is answered, without a handover', async () => {
  const sara = shop.customer()
  await sara.says('Is this one in stock?')
  await sara.sendsFile({ type: 'video', mimeType: 'video/mp4' })
  await assisted.pass(3_000)
  expect(asked()).toHaveLength(1)
  expect(await sara.got()).toHaveLength(1)
  expect(await sara.handovers()).toEqual([])
})

test('a place is told by its name and address', async () => {
  const sara = shop.customer()
  await sara.sends('location')
  await assisted.pass(3_000)
  expect(toldTo(asked()[0]!)).toContain('Old Town Gate')
})

test('the model hands over with a text: that text once, and its reason for staff', async () => {
  const sara = shop.customer()
  const given = { reason: 'customer_upset', reason_text: 'The parcel came broken.' }
  assisted.model.script(call('hand_over', given, 'I am sorry. A colleague will write to you.'))
  await sara.says('It came broken and nobody cares!')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['I am sorry. A colleague will write to you.'])
  expect(await sara.handovers()).toEqual([
    { reason: 'customer_upset', reasonText: 'The parcel came broken.', detail: null },
  ])
  expect(events().at(-1)).toMatchObject({
    data: { reason: 'customer_upset', reasonText: 'The parcel came broken.' },
  })
})

test("the model hands over without a text: the company's, in the customer's language", async () => {
  const sara = shop.customer()
  assisted.model.script(call('hand_over', { reason: 'missing_information' }))
  await sara.says('هل عندكم فرع في أبها؟')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['سيرد عليك أحد من متجرنا.'])
})

systemTest(
  'out of its hours the customer is told so: by the company, else in our words',
  async () => {
    const texts = {
      ...(JSON.parse(TEXTS) as object),
      en: { inHours: 'Soon.', outOfHours: 'At nine.' },
    }
    const closed = await assisted.openShop({ settings: { texts: JSON.stringify(texts) } })
    await assisted.world.database.db.kysely
      .updateTable('company')
      .set({ openingHours: '{}' })
      .where('id', '=', closed.companyId)
      .execute()
    for (const [text, told] of [
      ['I want to talk to a person', 'At nine.'],
      ['ابغى اكلم موظف', ASSISTANT_WORDS.handed_over_closed.ar],
    ] as const) {
      const sara = closed.customer()
      await sara.says(text)
      await assisted.pass(3_000)
      expect(await sara.got()).toEqual([told])
    }
  },
)

test('the model uses the reason of a flow: refused, and it may choose again', async () => {
  const sara = shop.customer()
  assisted.model.script(
    call('hand_over', { reason: 'flow_handover' }),
    call('hand_over', { reason: 'needs_staff_action' }, 'A colleague will see to it.'),
  )
  await sara.says('Can you change my address?')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['A colleague will see to it.'])
  expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
})

systemTest('the step of a flow hands over while it gathers: the reply is cancelled', async () => {
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
  expect(asked()).toHaveLength(0)
  expect(await sara.replies()).toMatchObject([{ state: 'cancelled' }])
  expect(await sara.handovers()).toMatchObject([{ reason: 'flow_handover' }])
  const told = handsOver.events('conversation.handover').map(({ data }) => data)
  expect(told).toMatchObject([{ reason: 'flow_handover', reasonText: 'Wants to change 1043' }])
})
