import { defineWords } from '../../../core/words/define-words.ts'

/** Texts of the playground. */
export const trialWords = defineWords({
  en: {
    lead: 'Write as a customer would. Nothing is sent, booked or changed, but it does use tokens.',
    talk: 'Conversation',
    none: 'No messages yet',
    none_why:
      'The assistant uses your current knowledge and models, and the settings shown alongside.',
    as_customer: 'Write as the customer',
    ask: 'Send',
    thinking: 'The assistant is thinking…',
    start_over: 'Start over',
    handed_over: 'Would hand over',
    asks: 'Shown below its message with Yes and No buttons. In the playground no question is sent, and nothing happens.',
    fixed_said: 'The customer gets the handover message.',
    no_answer: 'No reply',
    failure: 'No model responded: {failure}',
    why: 'Why, and what was only simulated',
    draft: 'Playground settings',
    draft_help: 'These apply only here. To keep a change, save it under Settings.',
  },
  ar: {
    lead: 'اكتب كما يكتب العميل. لا يُرسل شيء ولا يُحجز ولا يتغيّر، لكن تُستهلك الوحدات.',
    talk: 'المحادثة',
    none: 'لا رسائل بعد.',
    none_why: 'يرد المساعد بالمعرفة والنماذج الحالية، وبالإعدادات المجاورة.',
    as_customer: 'رسالة بصفتك عميلًا',
    ask: 'إرسال',
    thinking: 'المساعد يكتب الرد…',
    start_over: 'البدء من جديد',
    handed_over: 'كانت المحادثة ستُحوَّل إلى الفريق',
    asks: 'يظهر هذا السؤال أسفل الرد بزرّي «نعم» و«لا». في المختبر لا يُسأل أحد ولا يُنفَّذ شيء.',
    fixed_said: 'يُرسل إلى العميل نص التحويل.',
    no_answer: 'لا رد',
    failure: 'لم يستجب أي نموذج: {failure}',
    why: 'تفاصيل الرد',
    draft: 'إعدادات هذه التجربة',
    draft_help: 'تسري على هذه التجربة وحدها. احفظ ما يناسبك منها في الإعدادات.',
  },
})
