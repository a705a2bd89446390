import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the sheet of filters on a phone. */
export const filterWords = defineWords({
  en: {
    filter: 'Filter',
    filters_on: 'Filter, {count} active',
    sheet_on: '{title}, {count} active',
    show_results: 'Show results',
  },
  ar: {
    filter: 'تصفية',
    filters_on: 'التصفية، المفعّل {count}',
    sheet_on: '{title}، المفعّل {count}',
    show_results: 'عرض النتائج',
  },
})
