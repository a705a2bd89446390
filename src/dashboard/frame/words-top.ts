import { defineWords } from '../words/define-words.ts'

/** What stands in the bar above every page. */
export const topWords = defineWords({
  en: {
    find: 'Search customers, events or runs',
    find_as_agent: 'Find a customer or appointment',
    notices: 'Notices',
    unread_notices: {
      one: 'Notices, 1 unread',
      other: 'Notices, {n} unread',
    },
    utc: 'UTC',
    times_in_utc: 'Times are shown in UTC',
  },
  ar: {
    find: 'البحث عن عميل أو موعد أو مسار أو تنفيذ أو حدث',
    find_as_agent: 'البحث عن عميل أو موعد',
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
