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
 * Folded words, as patterns, that mark a number as an hour of the day. The words before it are in two lists: after those of
 * `maybeBefore` other numbers follow too. The words after it name a half of the day.
 */
export const HOUR_WORDS = {
  before: ['الساعه', 'عالساعه', 'ع الساعه'],
  maybeBefore: ['at', 'ساعه'],
  morning: ['am', 'a\\.m', 'ص', 'صباحا?', 'الصبح', 'الفجر'],
  afternoon: ['pm', 'p\\.m', 'م', 'مساء?', 'المسا', 'الظهر', 'العصر', 'المغرب'],
  eitherHalf: ['o.clock', 'بالليل'],
} as const

/** Folded names of the hours in order, as they follow «الساعه» with or without their article. */
export const HOUR_NAMES = [
  'واحده',
  'ثانيه',
  'ثالثه',
  'رابعه',
  'خامسه',
  'سادسه',
  'سابعه',
  'ثامنه',
  'تاسعه',
  'عاشره',
  'حاديه عشره',
  'ثانيه عشره',
] as const
