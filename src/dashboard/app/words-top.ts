import { defineWords } from '../words/define-words.ts'

/** What stands in the bar above every page. */
export const topWords = defineWords({
  en: {
    find: 'Find a customer, order, event or run',
    notices: 'Notices',
    unread_notices: {
      one: 'Notices, 1 unread',
      other: 'Notices, {n} unread',
    },
    utc: 'UTC',
    times_in_utc: 'Times are shown in UTC',
  },
  ar: {
    find: 'البحث عن عميل أو طلب أو حدث أو تنفيذ',
    notices: 'الإشعارات',
    unread_notices: {
      zero: 'الإشعارات، كلها مقروءة',
      one: 'الإشعارات، واحد غير مقروء',
      two: 'الإشعارات، اثنان غير مقروءين',
      few: 'الإشعارات، {n} غير مقروءة',
      many: 'الإشعارات، {n} غير مقروء',
      other: 'الإشعارات، {n} غير مقروء',
    },
    utc: 'UTC',
    times_in_utc: 'الأوقات معروضة بتوقيت UTC',
  },
})
