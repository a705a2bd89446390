import { describe, expect, test } from 'vitest'
import { guardReply, type GuardContext } from '../../../src/rules/assistant/reply-guard.ts'

const RULES =
  'Rules of the house, version 3. You answer customers of Layan Boutique only. Never state a price, ' +
  'a time or a policy that was not found in the documents. Offer a person rather than guess.'

const KNOWN: GuardContext = {
  channelType: 'whatsapp',
  hosts: ['layan.example', 'help.layan.example'],
  instructions: RULES,
  tools: ['search_knowledge', 'hand_over', 'book_appointment', 'cancel_appointment'],
  marks: ['data k7Qx9mZt2L'],
  ids: ['5f1c8a52-0d3e-4a8b-9c11-7be0a4d2f6c3'],
  done: [],
  proposal: null,
  handover: 'none',
  said: [],
  found: 0,
  isRepaired: false,
}
const guard = (text: string, known: Partial<GuardContext> = {}) =>
  guardReply(text, { ...KNOWN, ...known })
const verdictOf = (text: string, known?: Partial<GuardContext>) => guard(text, known).verdict
const sent = (text: string, known?: Partial<GuardContext>) => {
  const guarded = guard(text, known)
  return guarded.verdict === 'send' ? guarded.text : guarded.verdict
}
/** The reason for which the second try is replaced. */
const reasonOf = (text: string) => {
  const guarded = guard(text, { isRepaired: true })
  return guarded.verdict === 'replace' ? guarded.reason : guarded.verdict
}

const deed = (name: string) => ({ name, result: '', hasEffect: true })

/** Claims of actions that no tool has done. */
const CLAIMS = [
  'Your order is cancelled.|Your order has been cancelled',
  "Your order 1042 was cancelled successfully.|I've cancelled your order.",
  'I have now cancelled order 1042 for you.|I cancelled it.|We have cancelled your order.',
  'Order 1042 has been cancelled.|It has been cancelled.|Cancelled successfully.',
  'Successfully cancelled your order.|You’re booked.',
  "You're booked for Sunday at 5.|You are all set.|Done! Your appointment is on Sunday.",
  "All done.|I booked you in for Sunday.|I've scheduled your appointment for Sunday.",
  "I've reserved a table for you.|Your booking is confirmed.",
  'Booking confirmed for Sunday 5 pm.|Your refund has been issued.',
  "I have refunded your payment.|I've updated your address.",
  'Your address has been changed to Olaya 12.|The address has been updated.',
  "We've changed the delivery date for you.|No problem, your order is cancelled.",
  'Great news! Your order is now cancelled.|تم إلغاء طلبك|تم الغاء الطلب بنجاح.',
  'لقد تم إلغاء طلبك.|تم حجز موعدك يوم الأحد.|تم الحجز.|تم تأكيد حجزك.|تم تعديل العنوان.',
  'تم تغيير عنوان التوصيل.|تم استرجاع المبلغ.|لغيت طلبك.|لغيتلك الطلب.|ألغيت لك الطلب.',
  'الغينا طلبك.|كنسلت لك الطلب|حجزت لك موعد الأحد.|حجزتلك يوم الاحد الساعة ٥|حجزنا لك الموعد',
  'غيرت لك العنوان.|عدلت لك العنوان|طلبك انلغى.|طلبك اتلغى خلاص|اتلغى طلبك',
  'موعدك محجوز يوم الأحد|موعدك مؤكد.|انحجز موعدك|تم.|ابشر، لغيت لك الطلب',
  'تمام، تم إلغاء الطلب رقم ١٠٤٢|I went ahead and cancelled your order.|Consider it done.',
  "Your cancellation is complete.|Your order's been cancelled.",
  'I have successfully processed your refund.|تمت عملية الإلغاء بنجاح|سويت لك الحجز',
  'طلبك صار ملغي|I just cancelled it for you|You said yes, so it is done.|You agreed, it is done.',
  'قلت نعم، فلغيت لك الطلب.|وافقت فتم إلغاء طلبك',
].flatMap((line) => line.split('|'))

const NO_CLAIMS = [
  'Shall I cancel your order?|I can cancel your order if you like.',
  'Would you like me to book Sunday at 5?|Your order has not been cancelled.',
  "Your order isn't cancelled.|I haven't cancelled anything.|We are fully booked on Friday.",
  'Friday is fully booked.|Nothing was cancelled.',
  'Once your order is cancelled, the refund takes 5 days.',
  'If your order is cancelled, you get a refund.',
  'When your appointment is booked you get a message.',
  'Your order can be cancelled until it ships.',
  'Your order will be cancelled after 3 days without payment.',
  'Orders are cancelled automatically after 3 days.|Refunds are processed within 5 days.',
  'Cancelled orders are refunded within 5 days.',
  'I could not cancel your order.|I was unable to cancel it.',
  'Do you want it cancelled?|To have your order cancelled, reply yes.',
  'You cancelled your order yesterday?|Please confirm that the order be cancelled.',
  'Our prices have changed.|We updated our menu last week.|We have moved to Olaya Street.',
  'We added new colours.|The shop was renovated.|تبي الغي لك الطلب؟|هل تريد إلغاء الطلب؟',
  'هل تم إلغاء طلبك؟|لم يتم إلغاء طلبك.|ما تم إلغاء طلبك.|ما انلغى طلبك.|طلبك ما انلغى.',
  'لا يمكن إلغاء الطلب بعد الشحن.|يمكنك إلغاء الطلب قبل الشحن.',
  'إذا تم إلغاء الطلب يرجع المبلغ خلال ٥ أيام.|بعد إلغاء الطلب يرجع المبلغ.',
  'سيتم إلغاء الطلب إذا وافقت.|سوف يتم حجز موعدك بعد التأكيد.|ما قدرت الغي الطلب.|ما لغيت شي.',
  'تم افتتاح فرعنا الجديد.|إذا حجزت موعد توصلك رسالة.|متى حجزت موعدك؟',
  'لو لغيت الطلب يرجع لك المبلغ|يتم تأكيد الحجز برسالة|الحجز يتم عبر الموقع|موعدك مو محجوز',
  'للتأكيد، ألغي لك الطلب رقم ١٠٤٢؟|We are open until 10.|I am the assistant.',
  "I'm happy to help you cancel it. Shall I go on?|Returns are accepted within 14 days.",
  'Your return must be made within 14 days.|The dress was reduced to 100 SAR.',
  'This model is sold out.|It is made of cotton.|تغيرت أسعارنا|تم تخفيض السعر|أنا المساعد',
  'This is done by our tailor.|It is done in a day.|نعتذر منك، ما نقدر نلغي الطلب',
].flatMap((line) => line.split('|'))

describe('an action', () => {
  test.each(CLAIMS)('must not be claimed when it was not done: %s', (text) => {
    expect(verdictOf(text)).toBe('repair')
    expect(reasonOf(text)).toBe('needs_staff_action')
    expect(verdictOf(text, { done: [deed('action_anything')] })).toBe('send')
    expect(verdictOf(text, { done: [deed('action_order_status')] })).toBe('repair')
    const asked = { ...deed('action_anything'), hasEffect: false }
    expect(verdictOf(text, { done: [asked] })).toBe('repair')
  })

  test.each(NO_CLAIMS)('may be mentioned: %s', (text) => expect(sent(text)).toBe(text))

  test.each([
    ['Your order is cancelled.', ['action_cancel_order'], 'send'],
    ['Your appointment is cancelled.', ['cancel_appointment'], 'send'],
    ['Your appointment is cancelled.', ['book_appointment'], 'repair'],
    ['حجزت لك موعد الأحد', ['book_appointment'], 'send'],
    ['حجزت لك موعد الأحد', ['cancel_appointment'], 'repair'],
    ['I have updated your address.', ['set_customer'], 'send'],
    ['Your order is cancelled.', ['search_knowledge', 'find_slots', 'hand_over'], 'repair'],
    ['Your order is cancelled.', ['action_refund_order'], 'repair'],
    ['Your refund has been issued.', ['action_refund_order'], 'send'],
    ['تم استرداد المبلغ', ['action_cancel_order'], 'repair'],
    ['I have updated your address.', ['action_cancel_order'], 'repair'],
    ['I have updated your address.', ['action_change_address'], 'send'],
    ['All done.', ['action_change_address'], 'send'],
    ['All done.', ['action_track_order'], 'repair'],
    ['I have refunded your payment.', ['record_lead'], 'repair'],
  ])('%s, when %j succeeded: %s', (text, done, verdict) => {
    expect(verdictOf(text, { done: done.map((name) => deed(name)) })).toBe(verdict)
  })

  test.each([
    ['Your order is cancelled.', 'Status: cancelled', 'send'],
    ['طلبك ملغي', 'الحالة: ملغي', 'send'],
    ['Your order is cancelled.', 'Status: on its way', 'repair'],
    ['I have cancelled your order.', 'Status: cancelled', 'repair'],
    ['Your refund has been issued.', 'Status: cancelled', 'repair'],
  ])('%s, when a system was queried and returned %s: %s', (text, told, verdict) => {
    const done = [{ name: 'action_order_status', result: told, hasEffect: false }]
    expect(verdictOf(text, { done })).toBe(verdict)
    expect(verdictOf(text, { done: [{ ...done[0]!, name: 'search_knowledge' }] })).toBe('repair')
  })

  test('may be claimed together with a result that the same system reported', () => {
    const done = [{ ...deed('action_cancel_order'), result: 'Status: cancelled, refunded 120 SAR' }]
    expect(verdictOf('I have cancelled your order and refunded it.', { done })).toBe('send')
  })
})

describe('a text about tools, ids or instructions', () => {
  test.each([
    'I will use search_knowledge to look.',
    'I call SEARCH_KNOWLEDGE.',
    String.raw`I call hand\_over now.`,
    'I call ha\u200bnd_over now.',
    'سأستخدم action_order_status للبحث',
    '```json\n{"name":"hand_over"}\n```',
    '<<data k7Qx9mZt2L>> hello',
    '<</data of my own>> hello',
    'Your id is 5F1C8A52-0d3e-4a8b-9c11-7be0a4d2f6c3.',
    'Event evt_0123456789abcdef0123456789abcdef',
    'Use whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw to check it.',
    'The tool returned: {"error":"timeout"}',
    'You are a helpful assistant.',
    'My system prompt is secret.',
    'My instructions say that I must not.',
    'I was trained by OpenAI.',
    'As an AI language model I cannot.',
    'أنا نموذج لغوي كبير.',
    RULES.slice(35, 115),
    RULES.slice(35, 115).toUpperCase(),
    `As I was told: "${RULES.slice(50, 200)}"`,
    RULES.slice(35, 200).replace(/\w+/g, '**$&**'),
  ])('is not sent: %s', (text) => {
    expect(verdictOf(text)).toBe('repair')
    expect(reasonOf(text)).toBe('missing_information')
  })

  test.each([
    'We use knowledge to search, and hand over the parcel at the door.',
    'Your order A-5F1C8A52 is on its way.',
    RULES.slice(35, 114),
    'I am the assistant of Layan Boutique and answer its customers only.',
    'file_name and snake_case',
    'The toolbox returned to the shelf costs 90 SAR.',
    'Our instructions are in the box.',
    'The lamp was made by hand.',
    'أنا مساعد آلي للمتجر ولست إنساناً.',
  ])('is different from a harmless text: %s', (text) => expect(sent(text)).toBe(text))
})

describe('another customer’s number or address', () => {
  const told = '{"phone":"+966501234567","email":"huda@mail.example"}'
  const done = [{ name: 'action_order_status', result: told, hasEffect: false }]
  const widget = { channelType: 'web_widget', done }
  const TEXTS = [
    'It goes to +966501234567.',
    'الرقم ‎+966 50 123 4567',
    'It goes to ٠٥٠١٢٣٤٥٦٧.',
    'Write to Huda@mail.example.',
  ]

  test.each(TEXTS)('is hidden when the reader is not verified: %s', (text) => {
    expect(guard(text, widget)).toEqual({ verdict: 'repair', why: 'others_data' })
    const again = sent(text, { ...widget, isRepaired: true })
    expect(again).not.toMatch(/4567|٤٥٦٧|huda/i)
    expect(again).toContain('•')
    expect(verdictOf(text, { done })).toBe('send')
    const said = ['my number is 0501234567 and my address huda@mail.example']
    expect(verdictOf(text, { ...widget, said })).toBe('send')
  })

  test('is shown when the merchant has made it public', () => {
    const open = [{ ...done[0]!, mayBeReported: 'Shop: +966501234567' }]
    expect(sent(TEXTS[0]!, { ...widget, done: open })).toBe(TEXTS[0])
    expect(verdictOf(TEXTS[3]!, { ...widget, done: open })).toBe('repair')
  })

  test('does not include what the shop has written about itself', () => {
    const found = [{ name: 'search_knowledge', result: '[1] Call 0501234567.', hasEffect: false }]
    expect(sent('Call 0501234567.', { ...widget, done: found })).toBe('Call 0501234567.')
  })
})

describe('links', () => {
  test.each([
    ['https://layan.example/a?b=c#d', 'https://layan.example/a?b=c#d'],
    ['See HTTPS://LAYAN.EXAMPLE/returns.', 'See HTTPS://LAYAN.EXAMPLE/returns.'],
    ['See layan.example/returns for more', 'See layan.example/returns for more'],
    ['رابط المتجر:https://layan.example، شكرا', 'رابط المتجر:https://layan.example، شكرا'],
    ['[the page](https://layan.example/a) says so', 'the page: https://layan.example/a says so'],
    ['[https://layan.example/a](https://layan.example/a)', 'https://layan.example/a'],
    ['Open **https://layan.example/a_b_c** now', 'Open *https://layan.example/a_b_c* now'],
    ['Write to sales@elsewhere.example', 'Write to sales@elsewhere.example'],
    ['2.5 or 10.30, Node.js and report.pdf', '2.5 or 10.30, Node.js and report.pdf'],
    ['We deliver.To you', 'We deliver.To you'],
    ['See layan[.]example/returns now', 'See layan[.]example/returns now'],
    ['See ｌａｙａｎ．ｅｘａｍｐｌｅ now', 'See layan.example now'],
    ['Version 1.2.3.4 of it', 'Version 1.2.3.4 of it'],
    ['It is black . So it fits . In March', 'It is black. So it fits. In March'],
    ['Choose one (dot or stripe)', 'Choose one (dot or stripe)'],
    ['نفتح عند العاشرة . شكرا لك', 'نفتح عند العاشرة. شكرا لك'],
    ['It is open . Or 1.5/2 of it', 'It is open. Or 1.5/2 of it'],
  ])('to known hosts stay, and so do texts that are no link: %s', (text, shown) =>
    expect(sent(text)).toBe(shown),
  )

  test.each([
    ['Pay https://evil.example/pay today.', 'Pay today.'],
    ['Pay at evil.example.', 'Pay at.'],
    ['Pay at evil . example . com/pay today', 'Pay at today'],
    ['Pay at evil[.]example[.]net today', 'Pay at today'],
    ['Pay at evil (dot) example today', 'Pay at today'],
    ['Pay at 1.2.3.4/x today', 'Pay at today'],
    ['Pay at 10.0.0.5:8080/pay today', 'Pay at today'],
    ['Pay at www.evil.example now', 'Pay at now'],
    ['See bit.ly/abc now', 'See now'],
    ['Chat on https://wa.me/966501234567', 'Chat on'],
    ['See https://layan.example.evil.example/ now', 'See now'],
    ['See https://layan.example@evil.example/ now', 'See now'],
    [String.raw`See https://evil.example\@layan.example/ now`, 'See now'],
    ['See https://evil.example?layan.example now', 'See now'],
    ['See https://lаyan.example/ now', 'See now'],
    ['See https://10.0.0.5/a now', 'See now'],
    ['See ftp://layan.example/a now', 'See now'],
    ['See <https://evil.example/a> now', 'See now'],
    ['See (https://evil.example/a) now', 'See now'],
    ['[our shop](https://evil.example/x) has it', 'our shop has it'],
    ['![a photo](https://evil.example/x.png) of it', 'a photo of it'],
    ['ادفع هنا:evil.example/دفع شكرا', 'ادفع هنا: شكرا'],
    ['Open evil.zip now', 'Open now'],
    ['See evil[.]example/pay now', 'See now'],
    ['See www.evil(.)example now', 'See now'],
    ['See evil (dot) com now', 'See now'],
    ['See evil[dot]example[dot]com/pay now', 'See now'],
    ['ادفع عند evil [نقطة] com الآن', 'ادفع عند الآن'],
    ['Pay at evil . com today', 'Pay at today'],
    ['See ｅｖｉｌ．ｃｏｍ now', 'See now'],
    ['See ｅｖｉｌ.example/a now', 'See now'],
  ])('to other hosts are removed, the sentence stays: %s', (text, shown) =>
    expect(sent(text)).toBe(shown),
  )
})

describe('Markdown', () => {
  test.each([
    ['**Open** daily', '*Open* daily', 'Open daily'],
    ['***Open*** daily', '*Open* daily', 'Open daily'],
    ['__Open__ *daily*', '*Open* *daily*', 'Open daily'],
    ['# Hours\nfrom 10', '*Hours*\nfrom 10', 'Hours\nfrom 10'],
    ['## **Hours** ##', '*Hours*', 'Hours'],
    ['* black\n+ navy\n- grey', '- black\n- navy\n- grey', '- black\n- navy\n- grey'],
    ['1. black\n2. navy', '1. black\n2. navy', '1. black\n2. navy'],
    ['~~old~~ new', '~old~ new', 'old new'],
    ['> said', 'said', 'said'],
    ['`XL` is left', 'XL is left', 'XL is left'],
    ['```\nXL\n```', 'XL', 'XL'],
    ['---\nThank you', 'Thank you', 'Thank you'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a | b\n1 | 2', 'a | b\n1 | 2'],
    [String.raw`5 \* 3`, '5 * 3', '5 * 3'],
    ['2**3 is 8 and 3**2 is 9', '2**3 is 8 and 3**2 is 9', '2**3 is 8 and 3**2 is 9'],
    ['5 * 3 * 2 cm', '5 * 3 * 2 cm', '5 * 3 * 2 cm'],
    ['**مفتوح**يوميا', '*مفتوح*يوميا', 'مفتوحيوميا'],
    ['#1 in town', '#1 in town', '#1 in town'],
  ])('%j is shown as %j, elsewhere as %j', (text, onWhatsApp, elsewhere) => {
    expect(sent(text)).toBe(onWhatsApp)
    expect(sent(text, { channelType: 'instagram' })).toBe(elsewhere)
  })
})

describe('citations', () => {
  test.each([
    ['Delivery takes 2 days [1].', 'Delivery takes 2 days.', [1]],
    ['It does [3][1], and more [1, 2]', 'It does, and more', [1, 2, 3]],
    ['التوصيل [١].', 'التوصيل.', [1]],
    ['It does【2†source】.', 'It does.', [2]],
    ['It does [source 1].', 'It does.', [1]],
    ['It does [9].', 'It does.', []],
    ['Size [M] is left', 'Size [M] is left', []],
  ])('%s', (text, shown, citations) => {
    expect(guard(text, { found: 3 })).toEqual({ verdict: 'send', text: shown, citations })
  })

  test('leave a number in brackets when the search found nothing', () => {
    expect(sent('Choose [1] or [2]')).toBe('Choose [1] or [2]')
  })
})

const UNSEEN = ['\u200b', '\u2060\ufeff', '\u3164\u3164', '\u115f\u1160', '\u2800', 'ـــ', '\ufe0f']
const NOTHING = ['', ' \n ', 'https://evil.example/pay', '...', '**', ...UNSEEN]
test.each(NOTHING)('no text is left to send of %j', (text) => {
  expect(verdictOf(text)).toBe('repair')
  expect(reasonOf(text)).toBe('missing_information')
})

test('a text of characters that stand for whole phrases is too long by what it says', () => {
  expect(verdictOf('ﷺ'.repeat(1_000))).toBe('send')
  expect(guard('ﷺ'.repeat(2_000))).toEqual({ verdict: 'repair', why: 'too_long' })
})

test('a wrong time for a booking is corrected once, then the booking itself is sent', () => {
  const booking = { booked: '✓ Haircut\nMonday 7 December, 17:00', offered: '16:00', known: '' }
  expect(sent('See you at 5 pm.', { booking })).toBe('See you at 5 pm.')
  expect(guard('See you at 16:00.', { booking })).toEqual({ verdict: 'repair', why: 'other_time' })
  expect(verdictOf('See you at 16:00.', { booking, isRepaired: true })).toBe('outcome')
})

test('the words that block a text are reported', () => {
  expect(guard('Thank you. Your order is cancelled, have a nice day.')).toEqual({
    verdict: 'repair',
    why: 'not_done',
    clause: 'your order is cancelled',
  })
})

test('a fault that is only observed is recorded, and blocks nothing', () => {
  const observes = new Set(['not_done', 'tool_name'] as const)
  const text = 'Your order is cancelled, by book_appointment.'
  expect(guard(text, { observes })).toEqual({
    verdict: 'send',
    text,
    citations: [],
    observed: ['tool_name', 'not_done'],
  })
  expect(guard('A colleague will call you.', { observes })).toMatchObject({ verdict: 'repair' })
})

test('a text that is too long for the channel is requested again in fewer words', () => {
  expect(verdictOf('word '.repeat(4_000))).toBe('send')
  expect(verdictOf('word '.repeat(4_001))).toBe('repair')
})

test('direction overrides and tags are removed, a single emoji stays', () => {
  expect(sent('a\u202eb\u{e0041}c')).toBe('abc')
  expect(sent('👍')).toBe('👍')
})
