import type { AppointmentFacts } from '../../facts/appointments.ts'
import { countedAfter } from '../counted.ts'
import type { Sentences } from '../sentences.ts'

const OVER: Readonly<Record<string, string>> = {
  completed: 'سُجّل أن الموعد قد تم.',
  no_show: 'سُجّل أن العميل لم يحضر الموعد.',
}

export const AR_APPOINTMENTS: Sentences<AppointmentFacts> = {
  no_such_appointment: () => 'ليس لهذه الشركة موعد كهذا.',
  appointment_cancelled: () => 'أُلغي الموعد. احجز موعدًا جديدًا بدلًا منه.',
  appointment_over: ({ status }) => OVER[status] ?? 'انتهى الموعد. لا يمكن تغييره هكذا بعد الآن.',
  appointment_not_begun: () => 'لم يبدأ الموعد بعد. سجّل بعد وقته هل حضر العميل.',
  slot_not_free: () =>
    'شخص أو غرفة يحتاج إليها الموعد غير متاح في هذا الوقت. اختر وقتًا أو شخصًا آخر.',
  unknown_service: () => 'يجب أن تكون خدمة من خدمات هذه الشركة',
  resource_not_of_service: () => 'يجب أن يكون شخصًا أو غرفة مما تستعمله الخدمة، وأن يكون مفعّلًا',
  booking_nameless: () => 'حدّد جهة اتصال، أو اكتب اسمًا أو هاتفًا أو بريدًا إلكترونيًا',
  appointment_too_far: ({ days }) => `يجب أن يكون خلال ${countedAfter(days, 'day')} من الآن`,
  outside_opening_hours: () => 'هذا خارج ساعات العمل، ومع ذلك تم الحجز.',
  reminder_flow_off: () => 'لم يكن مسار التذكير يعمل.',
  reminder_too_late: () => 'بدأ الموعد قبل أن يُرسل التذكير.',
  reminder_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية. لا يُعرف هل ذُكّر العميل بعدها، فلم يُرسل تذكير.',
  notice_superseded: () => 'تغيّر الموعد مرة أخرى قبل إبلاغ العميل.',
  notice_too_late: () => 'بدأ الموعد قبل إبلاغ العميل.',
  notice_no_way: () =>
    'لا محادثة مع العميل يمكن الإرسال فيها الآن، ولا بريد إلكتروني له يمكن استعماله. أبلغه بنفسك.',
  notice_too_many: () =>
    'أُرسلت رسائل كثيرة عن حجوزات صفحة الحجز إلى هذا العميل خلال يوم، أو خلال ساعة إجمالًا. أبلغه بنفسك.',
  notice_not_mailed: () => 'لم يقبل خادم البريد الرسالة. أبلغ العميل بنفسك.',
  notice_mail_unknown: () => 'توقفت الخدمة أثناء إرسال البريد. لا يُعرف هل وصل، ولا يُرسل مرتين.',
  notice_restored: () =>
    'استُعيدت الخدمة من نسخة احتياطية. لا يُعرف هل أُبلغ العميل بعدها، فلم يُرسل شيء.',
  calendar_reads_a_minute: () => 'قُرئت التقويمات من هذا العنوان أكثر مما يُسمح. حاول بعد دقيقة.',
  no_such_calendar_link: () => 'لا يوجد رابط تقويم كهذا.',
  calendar_links_full: ({ most }) =>
    `أقصى ما للعضو من روابط التقويم ${countedAfter(most, 'item')}. احذف واحدًا أولًا.`,
}
