import type { TriggerKind } from '../../core/vocabulary/flows.ts'
import { defineWordsOf } from '../../core/words/define-words.ts'

/** Names of trigger types for lists; the builder's texts are in `words-steps.ts`. */
export const triggerWords = defineWordsOf<TriggerKind>()({
  en: {
    webhook: 'Your system',
    keyword: 'Keyword',
    conversation_started: 'First message',
    manual: 'Manual',
    template_button: 'Template button',
    appointment_reminder: 'Appointment reminder',
  },
  ar: {
    webhook: 'نظامك',
    keyword: 'كلمة مفتاحية',
    conversation_started: 'أول رسالة',
    manual: 'بدء يدوي',
    template_button: 'زر في قالب',
    appointment_reminder: 'تذكير بموعد',
  },
})
