import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the fields for weekly hours. */
export const weekHoursWords = defineWords({
  en: {
    closed: 'Closed',
    add: 'Add hours',
    add_of: 'Add hours for {day}',
    from_of: '{day}, from',
    to: 'to',
    to_of: '{day}, to',
    remove_of: 'Remove these hours from {day}',
    sunday: 'Sunday',
    monday: 'Monday',
    tuesday: 'Tuesday',
    wednesday: 'Wednesday',
    thursday: 'Thursday',
    friday: 'Friday',
    saturday: 'Saturday',
  },
  ar: {
    closed: 'مغلق',
    add: 'إضافة ساعات',
    add_of: 'إضافة ساعات يوم {day}',
    from_of: '{day}، من',
    to: 'إلى',
    to_of: '{day}، إلى',
    remove_of: 'حذف هذه الساعات من يوم {day}',
    sunday: 'الأحد',
    monday: 'الاثنين',
    tuesday: 'الثلاثاء',
    wednesday: 'الأربعاء',
    thursday: 'الخميس',
    friday: 'الجمعة',
    saturday: 'السبت',
  },
})
