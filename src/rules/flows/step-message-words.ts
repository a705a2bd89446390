import { defineWords } from '../../core/words/define-words.ts'

/** The words that the service adds to a step's messages, such as the labels of additional choices. */
export const stepMessageWords = defineWords({
  en: {
    options: 'Options',
    more_times: 'More times',
    other_day: 'Another day',
    taken: 'That time has just been taken.',
  },
  ar: {
    options: 'الخيارات',
    more_times: 'أوقات أخرى',
    other_day: 'يوم آخر',
    taken: 'حُجز هذا الوقت قبل لحظات.',
  },
})
