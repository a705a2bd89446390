/** Claims and promises in less common forms: results, whole objects, both languages in one sentence. */
import { describe, expect, test } from 'vitest'
import { guardReply, type GuardContext } from '../../../src/rules/assistant/reply-guard.ts'

const KNOWN: GuardContext = {
  channelType: 'whatsapp',
  hosts: ['layan.example', 'help.layan.example'],
  instructions: 'Answer customers of Layan Boutique.',
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

const verdictOf = (text: string) => guardReply(text, KNOWN).verdict

const MORE_CLAIMS = [
  'The driver has your new number now.|Your credit is back in your wallet.|Put you down for three seats.',
  'I emailed you the receipt.|Deposit received.|We have your new address on file.|The code is on your account.',
  'الحجز اتلغى من عندنا.|أُغلق بلاغك.|Great يا غالي، your booking لغيناه.|حجزك cancelled خلاص.',
  'الـ order confirmed لك.|talabak etla8a.|zabatelak el maw3ed.|sajaltak fel course.',
].flatMap((line) => line.split('|'))
const MORE_PROMISES = [
  'Expect a message from our tailor tonight.|You can expect an email from our team.',
  'سأعرض طلبك على الإدارة.|سوف يراسلك فريق الدعم.|الـ team هيتواصل معاك.',
].flatMap((line) => line.split('|'))
const MORE_HARMLESS = [
  "The manager's office is on the second floor.|Your question was answered on our page.",
  'شُحن طلبك صباح اليوم.|Put your card in the slot.|I have not emailed you the invoice.',
].flatMap((line) => line.split('|'))

test.each(['ما راح ينخصم منك شي.', 'لن ينخصم شيء منك.', 'رح يتحوّل المبلغ لك.'])(
  'announcements of an action that was refused are not sent: %s',
  (text) => {
    const proposal = { state: 'refused', tool: 'action_cancel_order' } as const
    const guarded = guardReply(text, { ...KNOWN, proposal })
    expect(JSON.stringify(guarded)).not.toContain(text)
  },
)

describe('a statement in less common forms', () => {
  test.each(MORE_CLAIMS)('is a claim: %s', (text) => expect(verdictOf(text)).toBe('repair'))
  test.each(MORE_PROMISES)('is a promise: %s', (text) => expect(verdictOf(text)).toBe('repair'))
  test.each(MORE_HARMLESS)('is neither: %s', (text) => expect(verdictOf(text)).toBe('send'))
})
