import { defineWords } from '../../core/words/define-words.ts'

/** Texts of a phone number field. */
export const phoneWords = defineWords({
  en: {
    country: 'Country',
    country_unknown: 'Unknown',
    help: 'Include the country code, or enter it as dialled in that country.',
    reads_as: 'Read as',
    unsaid:
      'Choose a country or enter the country code. Otherwise the number is saved as you entered it and can’t receive messages.',
    unsaid_needed: 'Choose a country or enter the country code.',
    not_of:
      'This isn’t a valid number in {country}. It’s saved as you entered it and can’t receive messages.',
    not_of_needed: 'This isn’t a valid number in {country}.',
  },
  ar: {
    country: 'الدولة',
    country_unknown: 'غير معروف',
    help: 'مع رمز الدولة، أو كما يُكتب داخل الدولة.',
    reads_as: 'يُقرأ',
    unsaid: 'اختر الدولة أو اكتب رمز الدولة. بدونه يُحفظ الرقم كما كتبته، ولا يمكن الإرسال إليه.',
    unsaid_needed: 'اختر الدولة أو اكتب رمز الدولة.',
    not_of: 'ليس هذا رقمًا صالحًا في {country}. يُحفظ كما كتبته، ولا يمكن الإرسال إليه.',
    not_of_needed: 'ليس هذا رقمًا صالحًا في {country}.',
  },
})
