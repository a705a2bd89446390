import { describe, expect, test } from 'vitest'
import {
  findUntrue,
  type KnownDeeds,
} from '../../src/rules/assistant/statements/check-statements.ts'
import type { Deed } from '../../src/rules/assistant/statements/deeds.ts'
import { CLAIMS } from './statement-texts/claims.ts'
import { HARMLESS } from './statement-texts/harmless.ts'
import { PROMISES } from './statement-texts/promises.ts'

const NOTHING: KnownDeeds = { done: [], proposal: null, handover: 'none', said: [] }
const judge = (text: string, known: Partial<KnownDeeds> = {}) =>
  findUntrue(text, { ...NOTHING, ...known })?.fault ?? null
const deed = (name: string, more: Partial<Deed> = {}): Deed => {
  return { name, result: '', hasEffect: true, ...more }
}
const orderLookup = (told: string) =>
  deed('action_order_status', { result: told, hasEffect: false })
const byLanguage = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([language, ofIt]) => ofIt.map((text) => [language, text] as const))

describe('when nothing was done', () => {
  test.each(byLanguage(CLAIMS))('a claim of an action is refused, in %s: %s', (_, text) => {
    expect(judge(text)).toBe('not_done')
  })

  test.each(byLanguage(HARMLESS))('a text without a claim is allowed, in %s: %s', (_, text) => {
    expect(judge(text)).toBeNull()
  })
})

describe('a person', () => {
  test.each(byLanguage(PROMISES))(
    'is promised only if the conversation is handed over, in %s: %s',
    (_, text) => {
      expect(judge(text)).toBe('promised_person')
      expect(judge(text, { handover: 'made' })).toBeNull()
      expect(judge(text, { handover: 'open' })).toBeNull()
    },
  )

  test.each([
    'I cancelled your order and told the manager.',
    'A colleague will call you. Your order is cancelled.',
    'بلغت المدير ولغيت لك الطلب.',
  ])('who takes over supports no claim of an action: %s', (text) => {
    expect(judge(text, { handover: 'made' })).toBe('not_done')
  })
})

describe('a successful action', () => {
  test.each([
    ['I have cancelled order 1042.', '{"order":"1042"}', null],
    ['I have cancelled order 1042.', '{"order":"A-1042"}', null],
    ['I have cancelled order 1042.', '{"order":"1043"}', 'not_done'],
    ['I have cancelled your order.', '{"order":"1043"}', null],
    ['I have cancelled order 1042.', '{"reason":"too late"}', null],
    ['تم إلغاء طلبك رقم ١٠٤٢.', '{"order":"1043"}', 'not_done'],
    ['Cancelled, and 120 SAR go back to your card.', '{"order":"1043"}', null],
  ])('with %s, called with %s, has the verdict %s', (text, input, fault) => {
    expect(judge(text, { done: [deed('action_cancel_order', { input })] })).toBe(fault)
  })

  test.each([
    ['I moved your visit to Monday.', 'action_reschedule_visit', null],
    ['I have sent you the invoice.', 'action_resend_invoice', null],
    ['I have sent you the invoice.', 'action_cancel_order', 'not_done'],
    ['Your ticket has been opened.', 'action_raise_ticket', null],
    ['Your ticket has been opened.', 'action_send_code', 'not_done'],
    ['I have charged your card.', 'action_capture_payment', null],
    ['I have charged your card.', 'action_change_address', 'not_done'],
    ['سجلت لك شكوى.', 'action_file_complaint', null],
    ['عدلت لك العنوان.', 'action_cancel_order', 'not_done'],
  ])('with %s, by the action %s, has the verdict %s', (text, name, fault) => {
    expect(judge(text, { done: [deed(name)] })).toBe(fault)
  })
})

describe('the answer of a system', () => {
  test.each([
    ['Your payment was received, thank you.', 'Payment: received', null],
    ['Your refund has been issued.', 'cancelled, no refund yet', 'not_done'],
    ['Your refund has been issued.', '{"refunded":false}', 'not_done'],
    ['Your refund has been issued.', '{"refund":"pending"}', 'not_done'],
    ['طلبك ملغي من أمس.', 'الحالة: ملغي', null],
    ['تم استرداد المبلغ.', 'الاسترداد قيد التنفيذ', 'not_done'],
    ['Your order is cancelled.', 'الحالة: ملغي', null],
  ])('with %s, after the answer %s, has the verdict %s', (text, told, fault) => {
    expect(judge(text, { done: [orderLookup(told)] })).toBe(fault)
  })
})

test.each([
  ['I understand that your order was cancelled.', ['my order was cancelled!'], null],
  ['I understand that your order was cancelled.', ['where is it?'], 'not_done'],
  ['I am sorry that your refund was cancelled.', ['they cancelled my refund'], null],
  ['Your order was cancelled.', ['my order was cancelled!'], 'not_done'],
])(
  "a text that repeats the customer's words, %s after %j, has the verdict %s",
  (text, said, fault) => {
    expect(judge(text, { said })).toBe(fault)
  },
)

describe('a proposal that was not carried out', () => {
  const states = ['refused', 'late', 'unclear', 'withdrawn', 'failed', 'unknown'] as const
  const cancelling = states.map((state) => ({ state, tool: 'action_cancel_order' }))

  test.each([
    'Done.',
    'It worked, the order is gone.',
    'All set!',
    'Great, it is off then.',
    'Your order will not be shipped any more.',
    'You will have the money on Monday.',
    'Cancelled as you wished ✅',
    'تمام، تم.',
    'أبشر، لغيناه.',
    'خلاص.',
    'المبلغ في طريقه إليك.',
    'راح يوصلك المبلغ بكرة.',
    'هتوصلك فلوسك بكرة.',
    '5alas la8eitlak el order.',
  ])('is not said to be done, however vaguely: %s', (text) => {
    for (const proposal of cancelling) expect(judge(text, { proposal })).toBe('not_done')
  })

  test.each([
    'Okay, I left it as it was.',
    'I did not get that: do you want it cancelled?',
    'The shop did not accept it, so your order is still open.',
    'I could not find out whether it was cancelled.',
    'Nothing was cancelled. Anything else?',
    'We open at 10 on Sunday.',
    'Delivery costs 25 SAR.',
    'ما قدرنا نلغيه، الطلب لسه ماشي.',
    'تمام، كيف أساعدك بعد؟',
    'التوصيل يومين.',
  ])('does not affect other texts: %s', (text) => {
    for (const proposal of cancelling) expect(judge(text, { proposal })).toBeNull()
  })
})
