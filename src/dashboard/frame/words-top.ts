import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the bar above every page. */
export const topWords = defineWords({
  en: {
    find: 'Search customers, events or runs',
    find_as_agent: 'Search customers or appointments',
    notices: 'Notifications',
    unread_notices: { one: 'Notifications, 1 unread', other: 'Notifications, {n} unread' },
    unread_notices_least: 'Notifications, at least {n} unread',
    utc: 'UTC',
    times_in_utc: 'Times are shown in UTC',
  },
  ar: {
    find: 'البحث عن عملاء أو أحداث أو تنفيذات',
    find_as_agent: 'البحث عن عميل أو موعد',
    notices: 'الإشعارات',
    unread_notices: {
      zero: 'الإشعارات، كلها مقروءة',
      one: 'الإشعارات، واحد غير مقروء',
      two: 'الإشعارات، اثنان غير مقروءين',
      few: 'الإشعارات، غير المقروء {n}',
      many: 'الإشعارات، غير المقروء {n}',
      other: 'الإشعارات، غير المقروء {n}',
    },
    unread_notices_least: 'الإشعارات، غير المقروء {n} على الأقل',
    utc: 'UTC',
    times_in_utc: 'الأوقات معروضة بتوقيت UTC',
  },
})
