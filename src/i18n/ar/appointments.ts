import type { AppointmentFacts } from '../../core/facts/appointments.ts'
import { countedAfter } from '../counted.ts'
import type { Catalog } from '../catalog.ts'

const OVER: Readonly<Record<string, string>> = {
  completed: 'سُجّل الموعد كمكتمل.',
  no_show: 'سُجّل عدم حضور العميل.',
}

export const AR_APPOINTMENTS: Catalog<AppointmentFacts> = {
  no_such_appointment: () => 'هذا الموعد غير موجود في المشروع.',
  appointment_cancelled: () => 'أُلغي الموعد. احجز موعدًا جديدًا بدلًا منه.',
  appointment_over: ({ status }) => OVER[status] ?? 'انتهى الموعد، ولم يعد هذا التغيير ممكنًا.',
  appointment_not_begun: () => 'لم يبدأ الموعد بعد. سجّل حضور العميل بعد وقت الموعد.',
  slot_not_free: () =>
    'مقدّم الخدمة أو الغرفة غير متاح في هذا الوقت. اختر وقتًا آخر أو مقدّم خدمة آخر.',
  unknown_service: () => 'اختر خدمة من خدمات هذا المشروع',
  resource_not_of_service: () => 'اختر مقدّم خدمة أو غرفة مفعّلة تستخدمها هذه الخدمة',
  booking_nameless: () => 'اختر جهة اتصال، أو اكتب اسمًا أو هاتفًا أو بريدًا إلكترونيًا',
  appointment_too_far: ({ days }) => `يجب أن يكون خلال ${countedAfter(days, 'day')} من الآن`,
  outside_opening_hours: () => 'الموعد خارج ساعات العمل، وقد تم حجزه.',
  reminder_flow_off: () => 'كان مسار التذكير موقوفًا.',
  reminder_too_late: () => 'بدأ الموعد قبل إرسال التذكير.',
  reminder_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية. لا يُعرف إن أُرسل تذكير بعدها، فلم يُرسل مرة أخرى.',
  notice_superseded: () => 'تغيّر الموعد مرة أخرى قبل إبلاغ العميل.',
  notice_too_late: () => 'بدأ الموعد قبل إبلاغ العميل.',
  notice_no_way: () =>
    'لا محادثة يمكن الإرسال فيها إلى العميل الآن، ولا بريد صالح. تواصل مع العميل مباشرة.',
  notice_too_many: () =>
    'بلغت رسائل الحجز من صفحة الحجز الحد الأقصى: لهذا العميل خلال يوم، أو لكل العملاء خلال ساعة. تواصل مع العميل مباشرة.',
  notice_not_mailed: () => 'رفض خادم البريد الرسالة. تواصل مع العميل مباشرة.',
  notice_mail_unknown: () => 'توقفت الخدمة أثناء إرسال البريد. وصوله غير مؤكد، ولن يُرسل مرة ثانية.',
  notice_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية. لا نعرف إن كان العميل أُبلغ بعدها، فلم يُرسل شيء.',
  calendar_reads_a_minute: () =>
    'طلبات كثيرة لقراءة التقويم من هذا العنوان. أعد المحاولة بعد دقيقة.',
  no_such_calendar_link: () => 'رابط التقويم هذا غير موجود.',
  calendar_links_full: ({ max }) =>
    `بلغت روابط التقويم لكل عضو الحد الأقصى: ${countedAfter(max, 'item')}. احذف واحدًا أولًا.`,
}
