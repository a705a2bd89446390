import { defineWords } from '../../words/define-words.ts'

/** Trying the assistant out. */
export const trialWords = defineWords({
  en: {
    lead: 'Write as a customer would. Nothing is sent, booked or changed; tokens are used.',
    talk: 'The talk',
    none: 'Nobody has asked anything yet.',
    none_why: 'It answers by your knowledge and models as they are, and by the settings beside.',
    as_customer: 'Write as a customer',
    ask: 'Ask',
    thinking: 'The assistant is thinking.',
    begin_anew: 'Begin anew',
    handed_over: 'Would hand over',
    fixed_said: 'The customer is told the sentence of the handover.',
    no_answer: 'No answer',
    failure: 'No model answered: {failure}',
    why: 'Why, and what was only shown',
    draft: 'Settings of this trial',
    draft_help: 'They hold for this trial alone. What is good is saved under Settings.',
  },
  ar: {
    lead: 'اكتب كما يكتب عميل. لا شيء يُرسل أو يُحجز أو يتغير، لكن الوحدات تُستهلك.',
    talk: 'الحديث',
    none: 'لم يسأل أحد شيئًا بعد.',
    none_why: 'يجيب بالمعرفة والنماذج كما هي، وبالإعدادات المجاورة.',
    as_customer: 'اكتب كعميل',
    ask: 'سؤال',
    thinking: 'المساعد يفكّر.',
    begin_anew: 'بدء من جديد',
    handed_over: 'كان سيحوّل إلى الفريق',
    fixed_said: 'يُقال للعميل نص التحويل.',
    no_answer: 'لا جواب',
    failure: 'لم يُجب أي نموذج: {failure}',
    why: 'السبب، وما عُرض فقط',
    draft: 'إعدادات هذه التجربة',
    draft_help: 'تسري على هذه التجربة وحدها. ما يصلح منها يُحفظ في الإعدادات.',
  },
})
