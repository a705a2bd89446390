import type { BookingSetupFacts } from '../../facts/booking-setup.ts'
import { countedAfter, countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_BOOKING_SETUP: Sentences<BookingSetupFacts> = {
  no_such_service: () => 'لا توجد خدمة كهذه.',
  no_such_resource: () => 'لا يوجد شخص أو مكان كهذا.',
  no_such_opening_change: () => 'لا توجد أوقات استثنائية كهذه.',
  unknown_resource: () => 'يجب أن يكون شخصًا أو مكانًا من هذا النشاط',
  too_many_services: ({ most }) =>
    `بلغ عدد الخدمات حده: ${countedInArabic(most, 'service')}. احذف واحدة أولًا.`,
  too_many_resources: ({ most }) =>
    `بلغ عدد الأشخاص والأماكن حده: ${countedInArabic(most, 'item')}. احذف واحدًا أولًا.`,
  too_many_opening_changes: ({ most }) =>
    `بلغ عدد الأوقات الاستثنائية حده: ${countedInArabic(most, 'item')}. احذف ما انتهى منها.`,
  too_many_roles: ({ most }) => `عدد الأدوار على الأكثر: ${countedInArabic(most, 'item')}`,
  service_has_appointments: ({ count }) =>
    `للخدمة مواعيد قادمة: ${countedInArabic(count, 'appointment')}. أوقفها كي لا تُحجز من جديد، واحذفها بعد انتهاء مواعيدها أو إلغائها.`,
  resource_has_appointments: ({ count }) =>
    `له مواعيد قادمة: ${countedInArabic(count, 'appointment')}. أوقفه كي لا يُحجز من جديد، وانقل ما حُجز أو ألغه.`,
  resource_in_use: ({ services }) =>
    `تحتاج إليه خدمات: ${services.map(quotedInArabic).join('، ')}. أخرجه منها أولًا.`,
  room_is_nobody: () => 'للأشخاص فقط، لا للأماكن',
  wrong_night_time: () =>
    `وقت مثل ${inArabic('17:00')}؛ وما بعد منتصف الليل يستمر عدّه حتى ${inArabic('36:00')}`,
  wrong_day: () => `يوم مثل ${inArabic('2027-02-08')}`,
  wrong_colour: () => `لون مثل ${inArabic('#0a7d5c')}`,
  wrong_slug: () =>
    `حروف لاتينية صغيرة وأرقام بينها ${inArabic('-')} مفردة، مثل ${inArabic('sara-salon')}`,
  slug_taken: () => 'عنوان لصفحة حجز أخرى',
  days_in_order: () => 'يجب ألا يسبق اليوم الأول',
  page_needs_slug: () => 'مطلوب قبل تشغيل الصفحة',
  page_needs_service: () =>
    'لا يمكن تشغيل الصفحة بعد: لا خدمة يمكن حجزها. يلزم تشغيل خدمة تحتاج إلى شخص أو مكان مُشغَّل وله أوقات عمل',
  slots_in_order: () => 'يجب أن يأتي بعد البداية',
  too_many_slot_days: ({ most }) =>
    `يجب أن يكون بعد البداية بما لا يزيد على ${countedAfter(most, 'day')}`,
}
