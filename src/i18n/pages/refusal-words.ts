import { defineWordsOf } from '../../core/words/define-words.ts'

/** The reason why a page is not shown, or a form is refused. */
export type PageRefusalKind =
  | 'not_found'
  | 'wrong_method'
  | 'foreign_form'
  | 'form_too_large'
  | 'not_a_form'
  | 'too_many'
  | 'too_many_bookings'
  | 'too_many_moves'
  | 'busy'
  | 'moved'
  | 'fault'

/** Title and text of the page that says why a page is not shown, or a form is refused. */
export const refusalWords = defineWordsOf<PageRefusalKind | `${PageRefusalKind}_text`>()({
  en: {
    not_found: 'This link doesn’t work',
    not_found_text:
      'It may have been cut off when it was copied. Open it again from the message you got it in.',
    wrong_method: 'This page can’t do that',
    wrong_method_text: 'Open the link in a browser.',
    foreign_form: 'Nothing was sent',
    foreign_form_text:
      'The form was sent from another page. Open the original link and send the form there.',
    form_too_large: 'Nothing was sent',
    form_too_large_text: 'What you entered is too long. Shorten it and try again.',
    not_a_form: 'Nothing was sent',
    not_a_form_text: 'This wasn’t sent from the form on this page. Open the link in a browser.',
    too_many: 'Too many requests',
    too_many_text:
      'There have been too many requests from your connection. Wait a minute, then open the page again.',
    too_many_bookings: 'Not booked',
    too_many_bookings_text:
      'Too many appointments were booked from your connection. Try again in an hour, or call the shop.',
    too_many_moves: 'Appointment not rescheduled',
    too_many_moves_text:
      'Too many appointments were booked or rescheduled from this connection. Try again in an hour, or call the shop.',
    busy: 'Temporarily unavailable',
    busy_text: 'Nothing was changed. Try again in a minute.',
    moved: 'This page has moved',
    moved_text: 'The shop now uses another address. Ask the shop for its new link.',
    fault: 'Something went wrong',
    fault_text: 'The problem is on our side. Try again in a minute.',
  },
  ar: {
    not_found: 'هذا الرابط لا يعمل',
    not_found_text: 'ربما نُسخ الرابط ناقصًا. افتحه مرة أخرى من الرسالة التي جاء فيها.',
    wrong_method: 'لا يمكن ذلك في هذه الصفحة',
    wrong_method_text: 'افتح الرابط في متصفح.',
    foreign_form: 'لم يُرسل شيء',
    foreign_form_text: 'جاء النموذج من صفحة أخرى. افتح الرابط نفسه وأرسل النموذج منه.',
    form_too_large: 'لم يُرسل شيء',
    form_too_large_text: 'النموذج أطول من اللازم. اختصر ما كُتب فيه.',
    not_a_form: 'لم يُرسل شيء',
    not_a_form_text: 'ما وصل ليس نموذج هذه الصفحة. افتح الرابط في متصفح.',
    too_many: 'طلبات كثيرة',
    too_many_text: 'وصلت طلبات كثيرة من هذا الاتصال. انتظر دقيقة ثم افتح الصفحة مرة أخرى.',
    too_many_bookings: 'لم يُحجز الموعد',
    too_many_bookings_text:
      'حُجزت مواعيد كثيرة من هذا الاتصال. أعد المحاولة بعد ساعة، أو اتصل بالمتجر.',
    too_many_moves: 'لم يُنقل الموعد',
    too_many_moves_text: 'حُجزت أو نُقلت مواعيد كثيرة من هذا الاتصال. حاول بعد ساعة أو اتصل بالمتجر.',
    busy: 'غير ممكن الآن',
    busy_text: 'لم يتغيّر شيء. أعد المحاولة بعد دقيقة.',
    moved: 'نُقلت هذه الصفحة',
    moved_text: 'صار للمتجر عنوان آخر. اطلب من المتجر رابطه الجديد.',
    fault: 'حدث خطأ',
    fault_text: 'الخطأ من جهتنا. أعد المحاولة بعد دقيقة.',
  },
})
