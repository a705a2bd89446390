import { defineWords } from '../words/define-words.ts'

export const noticeWords = defineWords({
  en: {
    title: 'Notices',
    read_all: 'Mark all as read',
    read: 'Mark as read',
    none: 'Nothing to tell.',
    none_why: 'When an endpoint fails or is switched off, or a note names you, it stands here.',
    unread: 'Unread',
    more: 'Show more',
  },
  ar: {
    title: 'الإشعارات',
    read_all: 'تعليم الكل كمقروء',
    read: 'تعليم كمقروء',
    none: 'لا جديد.',
    none_why: 'يظهر هنا تعثّر نقطة استقبال أو إيقافها، وأي ملاحظة تذكرك.',
    unread: 'غير مقروء',
    more: 'عرض المزيد',
  },
})
