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

/** Words that mark a number as an hour of the day, folded. */
export const HOUR_WORDS = {
  before: ['at', 'الساعه', 'ساعه'],
  after: [
    'am',
    'pm',
    'a\\.m',
    'p\\.m',
    'o.clock',
    'ص',
    'م',
    'صباحا',
    'مساء',
    'الصبح',
    'الظهر',
    'العصر',
    'المغرب',
    'بالليل',
  ],
} as const
