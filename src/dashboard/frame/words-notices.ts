import { defineWords } from '../../core/words/define-words.ts'

export const noticeWords = defineWords({
  en: {
    title: 'Notifications',
    read_all: 'Mark all as read',
    read: 'Mark as read',
    none: 'You’re all caught up.',
    none_why:
      'You’ll be notified here when an endpoint fails or is switched off, or when someone mentions you in a note.',
    unread: 'Unread',
    more: 'Show more',
  },
  ar: {
    title: 'الإشعارات',
    read_all: 'تحديد الكل كمقروء',
    read: 'تحديد كمقروء',
    none: 'لا إشعارات جديدة.',
    none_why: 'تظهر هنا نقاط الاستقبال المتعثّرة أو الموقوفة، والملاحظات التي ذُكر فيها اسمك.',
    unread: 'غير مقروء',
    more: 'عرض المزيد',
  },
})
