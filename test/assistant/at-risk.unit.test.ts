/** Requests of customers for an action: how they are read, and how strictly a reply is then checked. */
import { describe, expect, test } from 'vitest'
import { kindsAtRisk, saysNotDone } from '../../src/rules/assistant/statements/at-risk.ts'
import type { Deed } from '../../src/rules/assistant/statements/deeds.ts'
import { findUntrue } from '../../src/rules/assistant/statements/check-statements.ts'
import { readRequests } from '../../src/rules/assistant/statements/read-requests.ts'
import type { RequestKind } from '../../src/core/vocabulary/statements/requests.ts'

const linesOf = (texts: string) => texts.split('|')

describe('a request for an action', () => {
  test.each(
    Object.entries({
      cancels: `Cancel my order 1044|cancel it please|I want you to stop my subscription|could you cancel my appointment
        |I said cancel my order!|ألغوا الطلب 1044|أبي ألغي الطلب|عايز ألغي الأوردر|كنسل الطلب|bade elghi el order`,
      books: `book me an appointment tomorrow at 5|I would like to book a table|احجزلي موعد بكرا|ممكن تحجز لي موعد
        |e7jezli maw3ad`,
      refunds: `Please refund me|I want a refund|i need my money back|refund|رجعوا لي فلوسي|أبغى أسترجع المبلغ|عايز فلوسي`,
      changes: `Can I change my address?|Hi, please reschedule my visit to Sunday|غيروا العنوان|بدي غير الموعد
        |لو سمحت غيّر العنوان|أريد استبدال القطعة|ممكن تأجيل الموعد؟|بدل المقاس لو سمحت`,
    }).flatMap(([kind, texts]) => linesOf(texts).map((text) => [text.trim(), kind])),
  )('is read in %s: %s', (text, kind) => expect(readRequests(text)).toEqual([kind]))

  test.each(
    linesOf(
      `How do I cancel?|What is your refund policy?|Do you offer refunds?|where is my refund|Can I book online?
      |I want to know if I can cancel|do you have it in blue?|لا تلغي الطلب|متى يوصل طلبي|كيف ألغي الطلب؟
      |I do not want to cancel|thanks for the refund|غير متوفر؟|Where is my order 1044?|أبي أعرف ليش ألغيتوا طلبي
      |I like your booking page|هل يمكن إرجاع الكنب أو استبداله؟|أجل|وصل طلبي ناقص|رجع السعر؟`,
    ),
  )('is not read in a question or statement: %s', (text) =>
    expect(readRequests(text.trim())).toEqual([]),
  )
})

const deed = (name: string, more: Partial<Deed> = {}): Deed => {
  return { name, result: '', hasEffect: true, ...more }
}

test.each<[string, Deed, RequestKind[]]>([
  ['an action of its kind', deed('action_cancel_order'), []],
  [
    'a system of the shop',
    deed('action_status', { result: 'Status: cancelled', hasEffect: false }),
    [],
  ],
  ['an action of another kind', deed('action_refund'), ['cancels']],
  ['a note on the customer', deed('set_customer'), ['cancels']],
])('a request is fulfilled by %s: %o leaves %j', (_, done, left) => {
  expect(kindsAtRisk(['Cancel my order 1044'], [done])).toEqual(left)
})

const judge = (text: string, atRisk: readonly RequestKind[]) =>
  findUntrue(text, { done: [], proposal: null, handover: 'none', said: [], atRisk })?.fault ?? null

test.each([
  'The order is now out of the system: cancelled.',
  'Sorted ✅',
  'Your cancelled order goes back to the shelf.',
  'You will have your refund in three days.',
  'تمام، تم يا غالي والطلب ملغى',
])('a vague claim of a result is refused after a request: %s', (text) => {
  expect(judge(text, ['cancels', 'refunds'])).toBe('not_done')
})

test.each([
  'Orders can be cancelled until they are shipped.',
  'Cancelled orders are refunded within five days.',
  'Do you want me to cancel order 1044?',
  'Your order was placed on Monday and arrives on Friday.',
  'We are fully booked on Saturday.',
  'تم شحن طلبك أمس.',
  'المقاس خلص للأسف، والعرض انتهى.',
  'If you confirm, it will be cancelled.',
])('a general, asking or announcing text is allowed after a request: %s', (text) => {
  expect(judge(text, ['cancels', 'refunds', 'changes', 'books'])).toBeNull()
})

test.each([
  ['I could not cancel your order.', true],
  ['لم يتم إلغاء طلبك بعد.', true],
  ['It is not in stock.', false],
  ['I can cancel it for you.', false],
])('%s says that it was not done: %s', (text, says) => {
  expect(saysNotDone(text, ['cancels'])).toBe(says)
})

describe('the effect of an action is the merchant’s setting, whatever its name', () => {
  test.each<[string, Deed['does'], string | null]>([
    ['Your order is cancelled.', ['cancels'], null],
    ['Your order is cancelled.', ['refunds'], 'not_done'],
    ['Your order is cancelled.', [], 'not_done'],
    ['Your order is cancelled.', ['other'], 'not_done'],
    ['I have arranged it for you.', ['other'], null],
  ])('%s, after an action with effect %j: %s', (text, does, fault) => {
    const done = [deed('action_do_it', { ...(does && { does }) })]
    const known = { proposal: null, handover: 'none', said: [], atRisk: [] } as const
    expect(findUntrue(text, { ...known, done })?.fault ?? null).toBe(fault)
  })
})
