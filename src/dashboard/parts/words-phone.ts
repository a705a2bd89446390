import { defineWords } from '../words/define-words.ts'

/** What stands at a field for a phone. */
export const phoneWords = defineWords({
  en: {
    country: 'Country',
    country_unknown: 'Not known',
    help: 'With its country code, or as it is dialled in that country.',
    reads_as: 'Read as',
    unsaid:
      'Choose its country, or write the country code. Without it the number is kept as you wrote it, and nothing can be sent to it.',
    unsaid_needed: 'Choose its country, or write the country code.',
    not_of:
      'This is no number of {country}. It is kept as you wrote it, and nothing can be sent to it.',
    not_of_needed: 'This is no number of {country}.',
  },
  ar: {
    country: 'البلد',
    country_unknown: 'غير معروف',
    help: 'مع رمز البلد، أو كما يُطلب في ذلك البلد.',
    reads_as: 'يُقرأ',
    unsaid: 'اختر بلد الرقم أو اكتب رمز البلد. بدونه يُحفظ الرقم كما كتبته ولا يمكن إرسال شيء إليه.',
    unsaid_needed: 'اختر بلد الرقم أو اكتب رمز البلد.',
    not_of: 'ليس هذا رقمًا في {country}. يُحفظ كما كتبته ولا يمكن إرسال شيء إليه.',
    not_of_needed: 'ليس هذا رقمًا في {country}.',
  },
})
