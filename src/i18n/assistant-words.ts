import { defineWords } from '../core/words/define-words.ts'

/** Sentences for customers, used where neither the assistant nor the company has one. */
export const assistantWords = defineWords({
  en: {
    handed_over: 'I’m passing this on to our team. Someone will reply here shortly.',
    handed_over_closed:
      'I’ve passed this on to our team. We’re closed right now, and someone will reply here when we open.',
    unsupported_media:
      'I can’t open this here, so I’ve passed it on to our team. You can also type your question.',
  },
  ar: {
    handed_over: 'حوّلت محادثتك إلى الفريق، وسيصلك الرد هنا في أقرب وقت.',
    handed_over_closed:
      'حوّلت محادثتك إلى الفريق. نحن خارج ساعات العمل الآن، وسيصلك الرد هنا عند بدء الدوام.',
    unsupported_media:
      'لا يمكنني فتح هذا الملف هنا، فحوّلت رسالتك إلى الفريق. يمكنك أيضًا كتابة سؤالك.',
  },
})
