/** Sentences for customers, used where neither the assistant nor the company has one. */
export const ASSISTANT_WORDS = {
  handed_over: {
    ar: 'حوّلت محادثتك إلى الفريق، وسيصلك الرد هنا في أقرب وقت.',
    en: 'I’m passing this on to our team. Someone will reply here shortly.',
  },
  handed_over_closed: {
    ar: 'حوّلت محادثتك إلى الفريق. نحن خارج ساعات العمل الآن، وسيصلك الرد هنا عند بدء الدوام.',
    en: 'I’ve passed this on to our team. We’re closed right now, and someone will reply here when we open.',
  },
  unsupported_media: {
    ar: 'لا يمكنني فتح هذا الملف هنا، فحوّلت رسالتك إلى الفريق. يمكنك أيضًا كتابة سؤالك.',
    en: 'I can’t open this here, so I’ve passed it on to our team. You can also type your question.',
  },
} as const
