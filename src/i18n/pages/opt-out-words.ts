import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the page that stops messages. */
export const optOutWords = defineWords({
  en: {
    title: 'Stop messages',
    question: 'Stop all messages from {shop}?',
    consequence:
      'You won’t get any more offers, reminders or other messages, on any channel. If you ask a question yourself, you’ll still get an answer.',
    act: 'Stop all messages',
    stopped: 'You’ve opted out',
    stoppedText: 'You won’t get any more messages from {shop}.',
    again: 'To get messages again, send START to the shop.',
  },
  ar: {
    title: 'إيقاف الرسائل',
    question: 'إيقاف كل الرسائل من {shop}؟',
    consequence: 'لن تصلك عروض ولا تذكيرات ولا رسائل أخرى على أي قناة. أما أسئلتك فيصلك الرد عليها.',
    act: 'إيقاف كل الرسائل',
    stopped: 'أُوقفت الرسائل',
    stoppedText: 'لن يرسل إليك {shop} شيئًا بعد الآن.',
    again: 'لاستئناف الرسائل أرسل كلمة START إلى المتجر.',
  },
})
