import type { BookingSetupFacts } from '../../core/facts/booking-setup.ts'
import { countedAfter, countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_BOOKING_SETUP: Catalog<BookingSetupFacts> = {
  no_such_service: () => 'هذه الخدمة غير موجودة.',
  no_such_resource: () => 'مقدّم الخدمة أو الغرفة غير موجود.',
  no_such_opening_change: () => 'هذه العطلة أو الساعات الاستثنائية غير موجودة.',
  unknown_resource: () => 'اختر مقدّم خدمة أو غرفة من هذا المشروع',
  too_many_services: ({ max }) =>
    `بلغت الخدمات الحد الأقصى: ${countedInArabic(max, 'service')}. احذف واحدة أولًا.`,
  too_many_resources: ({ max }) =>
    `بلغ مقدّمو الخدمة والغرف الحد الأقصى: ${countedInArabic(max, 'item')}. احذف واحدًا أولًا.`,
  too_many_opening_changes: ({ max }) =>
    `بلغت العطل والساعات الاستثنائية الحد الأقصى: ${countedInArabic(max, 'item')}. احذف ما انتهى منها.`,
  too_many_roles: ({ max }) => `الحد الأقصى للأدوار: ${countedInArabic(max, 'item')}`,
  service_has_appointments: ({ count }) =>
    `للخدمة حجوزات قادمة (${countedInArabic(count, 'appointment')}). أوقفها كي لا تُحجز من جديد، ثم احذفها بعد انتهاء المواعيد أو إلغائها.`,
  resource_has_appointments: ({ count }) =>
    `ما زالت هناك حجوزات قادمة (${countedInArabic(count, 'appointment')}). أوقف استقبال المواعيد، ثم انقل ما حُجز أو ألغه.`,
  resource_in_use: ({ services }) =>
    `مستخدم في خدمات: ${services.map(quotedInArabic).join('، ')}. أزله منها أولًا.`,
  room_is_nobody: () => 'للأشخاص فقط، لا للغرف',
  wrong_night_time: () =>
    `اكتب وقتًا مثل ${inArabic('17:00')}. وما بعد منتصف الليل يستمر عدّه حتى ${inArabic('36:00')}`,
  wrong_day: () => `اكتب يومًا مثل ${inArabic('2027-02-08')}`,
  wrong_colour: () => `اكتب لونًا مثل ${inArabic('#0a7d5c')}`,
  wrong_slug: () =>
    `أحرف لاتينية صغيرة وأرقام بينها ${inArabic('-')} مفردة، مثل ${inArabic('sara-salon')}`,
  slug_taken: () => 'مستخدم في صفحة حجز أخرى',
  days_in_order: () => 'يجب ألا يسبق اليوم الأول',
  page_needs_slug: () => 'مطلوب قبل تفعيل الصفحة',
  page_needs_service: () =>
    'لا يمكن تفعيل الصفحة بعد، إذ لا توجد خدمة متاحة للحجز. فعّل خدمة يقدّمها شخص أو غرفة مفعّلة ولها ساعات عمل',
  slots_in_order: () => 'يجب أن يأتي بعد البداية',
  too_many_slot_days: ({ max }) =>
    `يجب أن يكون بعد البداية بما لا يزيد على ${countedAfter(max, 'day')}`,
}
