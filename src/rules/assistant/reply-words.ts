import { defineWords } from '../../core/words/define-words.ts'

/** The texts that code, and not a model, adds to replies of the assistant. */
export const replyWords = defineWords({
  en: {
    nothing_done: 'Nothing has been changed or booked so far.',
    reference: 'Reference:',
  },
  ar: {
    nothing_done: 'لم يتغيّر ولم يُحجز شيء حتى الآن.',
    reference: 'رقم الحجز:',
  },
})
