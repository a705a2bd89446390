import { defineWords } from '../../core/words/define-words.ts'

/** The texts that steps send in addition to those of their flow. */
export const stepWords = defineWords({
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
