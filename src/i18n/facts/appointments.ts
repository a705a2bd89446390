import type { AppointmentFacts } from '../../core/facts/appointments.ts'
import { defineFacts } from '../define-facts.ts'

export const appointmentFacts = defineFacts<AppointmentFacts>()({
  en: {
    no_such_appointment: 'No appointment with this ID.',
    appointment_cancelled: 'This appointment was cancelled. Book a new one instead.',
    appointment_over: {
      text: '{status}',
      forms: {
        status: {
          completed: 'The appointment is already marked as completed.',
          no_show: 'The appointment is already marked as a no-show.',
          other: 'This appointment has ended and can no longer be changed this way.',
        },
      },
    },
    appointment_not_begun:
      'The appointment hasn’t started yet. You can mark it as completed or no-show afterwards.',
    slot_not_free:
      'A person or room this service needs is already booked at that time. Choose another time or another person.',
    unknown_service: 'must be a service of this company',
    resource_not_of_service:
      'must be a person or room that is switched on and that this service uses',
    booking_nameless: 'Choose a contact, or enter a name, phone number or email address',
    appointment_too_far: 'must be within {days, day} from now',
    outside_opening_hours: 'This is outside opening hours. It was booked anyway.',
    reminder_flow_off: 'The reminder flow wasn’t on.',
    reminder_too_late: 'The appointment started before a reminder could be sent.',
    reminder_restored:
      'The service was restored from a backup, so we don’t know whether this reminder was already sent. It wasn’t sent again.',
    notice_superseded: 'The appointment changed again before the customer was notified.',
    notice_too_late: 'The appointment started before the customer could be notified.',
    notice_no_way:
      'The customer has no conversation that allows a message now, and no usable email address. Contact them yourself.',
    notice_too_many:
      'Too many messages about bookings from the booking page: to this customer in a day, or to everyone in an hour. Contact the customer yourself.',
    notice_not_mailed: 'The mail server rejected the email. Contact the customer yourself.',
    notice_mail_unknown:
      'The service stopped while it was sending the email. It may or may not have arrived, and it won’t be sent twice.',
    notice_restored:
      'The service was restored from a backup. The customer may have been notified after the backup, so nothing was sent.',
    calendar_reads_a_minute:
      'Calendar links were read too often from this address. Try again in a minute.',
    no_such_calendar_link: 'No calendar link with this ID.',
    calendar_links_full: 'You can have at most {max, calendar_link}. Delete one first.',
  },
  ar: {
    no_such_appointment: 'هذا الموعد غير موجود في المشروع.',
    appointment_cancelled: 'أُلغي الموعد. احجز موعدًا جديدًا بدلًا منه.',
    appointment_over: {
      text: '{status}',
      forms: {
        status: {
          completed: 'سُجّل الموعد كمكتمل.',
          no_show: 'سُجّل عدم حضور العميل.',
          other: 'انتهى الموعد، ولم يعد هذا التغيير ممكنًا.',
        },
      },
    },
    appointment_not_begun: 'لم يبدأ الموعد بعد. سجّل حضور العميل بعد وقت الموعد.',
    slot_not_free: 'مقدّم الخدمة أو الغرفة غير متاح في هذا الوقت. اختر وقتًا آخر أو مقدّم خدمة آخر.',
    unknown_service: 'اختر خدمة من خدمات هذا المشروع',
    resource_not_of_service: 'اختر مقدّم خدمة أو غرفة مفعّلة تستخدمها هذه الخدمة',
    booking_nameless: 'اختر جهة اتصال، أو اكتب اسمًا أو هاتفًا أو بريدًا إلكترونيًا',
    appointment_too_far: 'يجب أن يكون خلال {days, after day} من الآن',
    outside_opening_hours: 'الموعد خارج ساعات العمل، وقد تم حجزه.',
    reminder_flow_off: 'كان مسار التذكير موقوفًا.',
    reminder_too_late: 'بدأ الموعد قبل إرسال التذكير.',
    reminder_restored:
      'استُعيدت الخدمة من نسخة احتياطية. لا يُعرف إن أُرسل تذكير بعدها، فلم يُرسل مرة أخرى.',
    notice_superseded: 'تغيّر الموعد مرة أخرى قبل إبلاغ العميل.',
    notice_too_late: 'بدأ الموعد قبل إبلاغ العميل.',
    notice_no_way:
      'لا محادثة يمكن الإرسال فيها إلى العميل الآن، ولا بريد صالح. تواصل مع العميل مباشرة.',
    notice_too_many:
      'بلغت رسائل الحجز من صفحة الحجز الحد الأقصى: لهذا العميل خلال يوم، أو لكل العملاء خلال ساعة. تواصل مع العميل مباشرة.',
    notice_not_mailed: 'رفض خادم البريد الرسالة. تواصل مع العميل مباشرة.',
    notice_mail_unknown: 'توقفت الخدمة أثناء إرسال البريد. وصوله غير مؤكد، ولن يُرسل مرة ثانية.',
    notice_restored:
      'استُعيدت الخدمة من نسخة احتياطية. لا نعرف إن كان العميل أُبلغ بعدها، فلم يُرسل شيء.',
    calendar_reads_a_minute: 'طلبات كثيرة لقراءة التقويم من هذا العنوان. أعد المحاولة بعد دقيقة.',
    no_such_calendar_link: 'رابط التقويم هذا غير موجود.',
    calendar_links_full:
      'بلغت روابط التقويم لكل عضو الحد الأقصى: {max, after item}. احذف واحدًا أولًا.',
  },
})
