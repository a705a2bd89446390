/** Folded words for days as people write them: a list for today, and one for tomorrow. */
export const DAYS_FROM_TODAY = [
  [
    'today',
    'tonight',
    'this morning',
    'this afternoon',
    'this evening',
    'اليوم',
    'الليله',
    'النهارده',
  ],
  ['tomorrow', 'بكره', 'بكرا', 'باكر', 'غدا', 'الغد'],
] as const

/**
 * Folded words that mark a number as an hour of the day: in front of it, or behind it by the half of the day that they
 * name. They are patterns.
 */
export const HOUR_WORDS = {
  before: ['at', 'الساعه', 'ساعه'],
  morning: ['am', 'a\\.m', 'ص', 'صباحا', 'الصبح', 'الفجر'],
  afternoon: ['pm', 'p\\.m', 'م', 'مساء', 'الظهر', 'العصر', 'المغرب'],
  eitherHalf: ['o.clock', 'بالليل'],
} as const
