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
  'The parcel was rerouted to your work address.|The name on the order is now Sara.|Refunded in full.',
  "You're first on the list now.|Your address is now Olaya 14.|The refund has been authorised.",
  'The hotel knows you arrive late.|تم تغيير كلمة المرور.|بات حجزك مؤكداً.|المبلغ أُعيد بالكامل.',
  'تراه انلغى.|تراني لغيته.|الميعاد بقى يوم الخميس.|صار الطلب قطعتين.|الحساب اتقفل.|خلص لغيتو.',
  'الخصم نزل على الفاتورة بتاعتك.',
  'Your refund has landed on your card.|Your discount is active.|The dress is set aside for you.',
  'Your reservation is in.|The delivery is now on Saturday instead.|Your plan has ended as you wished.',
  'Ticket 4411 is open for you.|You are now a gold member.|I have emailed it to you.|I just did.|I did it.',
  "Your order was placed successfully.|The return is set up.|It's been dealt with.|Changes saved.",
  'Breakfast is now included in your booking.|Got your order cancelled!|We are keeping your table until 9.',
  'I did cancel your order.|I have just messaged the seller.|الطلب التغى.|مصرياتك رجعو عالبطاقة.',
  'تم خصم ٥٠ ريالاً من فاتورتك.|طلبت من المندوب أن ينتظر.|عنوانك الجديد محفوظ.|شلتك من القائمة.',
  'لم يعد لديك موعد يوم الأحد.|ما عاد عندك حجز.|أنت مسجل الآن في الدورة.|tam el elgha2.',
  'etsaggalet el shakwa.',
  'الـ order confirmed لك.|talabak etla8a.|zabatelak el maw3ed.|sajaltak fel course.',
].flatMap((line) => line.split('|'))
const MORE_PROMISES = [
  'Expect a message from our tailor tonight.|You can expect an email from our team.',
  'Your case is being reviewed by our team.|Our specialists will have a look.|I will return with news.',
  'Customer service will contact you.|Please wait for a call from our team.|يعمل فريقنا على حل مشكلتك.',
  'The branch will call you tomorrow.|Help is coming, our team knows.|Leave it with me.',
  'سأجعل المدير يتصل بك.|تم إخطار الإدارة.|ستتلقى اتصالاً من فريقنا.|انتظر مكالمة من المدير.',
  'الفريق على علم بالموضوع.|فريقنا يعمل على المشكلة.|بقول للمدير.|نتصل عليك اليوم.|رح خبر المدير.',
  'رح وصلك بموظف.|سأعرض طلبك على الإدارة.|سوف يراسلك فريق الدعم.|الـ team هيتواصل معاك.',
].flatMap((line) => line.split('|'))
const MORE_HARMLESS = [
  "The manager's office is on the second floor.|Your question was answered on our page.",
  'The phone is now sold out.|Returns are reviewed by our team.|التوصيل صار مجاني.|الحجز صار أونلاين.',
  'Our customer service is open until 10.|Orders are paid in full.',
  'The store will be closed on Friday.|Our team knows cotton well.|The return is set up by the courier.',
  'Your order was placed on Monday.|I did not cancel it.|You are now in the right chat.',
  'فريقنا يعمل على مدار الساعة.|حقك محفوظ.|تم بيع آخر قطعة.|لم يعد لدينا هذا اللون.|انتظر رد البنك.',
  'شُحن طلبك صباح اليوم.|Put your card in the slot.|I have not emailed you the invoice.',
].flatMap((line) => line.split('|'))

test.each([
  'هترجعلك الفلوس.',
  'بيرجع لك المبلغ بكره.',
  'ما راح ينخصم منك شي.',
  'لن ينخصم شيء منك.',
  'رح يتحوّل المبلغ لك.',
])('announcements of an action that was refused are not sent: %s', (text) => {
  const proposal = { state: 'refused', tool: 'action_cancel_order' } as const
  const guarded = guardReply(text, { ...KNOWN, proposal })
  expect(JSON.stringify(guarded)).not.toContain(text)
})

test('a system that said "confirmed" confirms the statement', () => {
  const done = [{ name: 'action_order_status', result: 'الحجز: مؤكد', hasEffect: false }]
  expect(guardReply('تم تأكيد حجزك.', { ...KNOWN, done }).verdict).toBe('send')
})

test.each([
  "I'm ChatGPT.",
  'According to my instructions I must not.',
  'تعليماتي تقول ألا أذكر السعر.',
  'وفقاً لتعليماتي لا أذكر السعر.',
  'null',
])('a text about the machine is not sent: %s', (text) => expect(verdictOf(text)).toBe('repair'))

test('a link with a space before its dot is removed', () => {
  const guarded = guardReply('Pay on evil .example/pay today', KNOWN)
  expect(guarded).toMatchObject({ verdict: 'send', text: 'Pay on today' })
})

describe('a statement in less common forms', () => {
  test.each(MORE_CLAIMS)('is a claim: %s', (text) => expect(verdictOf(text)).toBe('repair'))
  test.each(MORE_PROMISES)('is a promise: %s', (text) => expect(verdictOf(text)).toBe('repair'))
  test.each(MORE_HARMLESS)('is neither: %s', (text) => expect(verdictOf(text)).toBe('send'))
})
