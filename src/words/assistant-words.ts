/** What customers are told in our own words, where neither the assistant nor the company has any. */
export const ASSISTANT_WORDS = {
  handed_over: {
    ar: 'سأحوّلك إلى أحد أفراد الفريق، وسيردّ عليك هنا في أقرب وقت.',
    en: 'I am passing this on to our team. Somebody will answer you here shortly.',
  },
  handed_over_closed: {
    ar: 'حوّلت رسالتك إلى الفريق. الفريق خارج ساعات العمل الآن، وسيردّ عليك هنا عند بدء الدوام.',
    en: 'I have passed this on to our team. We are closed now, and somebody will answer you here once we open.',
  },
  unsupported_media: {
    ar: 'لا أستطيع فتح هذا الملف هنا، فحوّلت رسالتك إلى الفريق. يمكنك أيضًا كتابة سؤالك.',
    en: 'I cannot open this here, so I have passed it on to our team. You can also write your question.',
  },
} as const
