import type { BookingSetupFacts } from '../../core/facts/booking-setup.ts'
import { defineFacts } from '../define-facts.ts'

export const bookingSetupFacts = defineFacts<BookingSetupFacts>()({
  en: {
    no_such_service: 'No service with this ID.',
    no_such_resource: 'No person or room with this ID.',
    no_such_opening_change: 'No holiday or special hours with this ID.',
    unknown_resource: 'must be a person or room of this company',
    too_many_services: 'You already have {max} services, the maximum. Delete one first.',
    too_many_resources: 'You already have {max} people and rooms, the maximum. Delete one first.',
    too_many_opening_changes:
      'You already have {max, plain} holidays and special hours, the maximum. Delete past ones first.',
    too_many_roles: 'must have at most {max} roles',
    service_has_appointments:
      'The service has {count, coming_appointment}. Switch it off to stop new bookings, then delete it once they’re over or cancelled.',
    resource_has_appointments:
      'This person or room has {count, coming_appointment}. Switch them off to stop new bookings, then reschedule or cancel what’s booked.',
    resource_in_use:
      'These services need this person or room: {services, quoted}. Remove it from them first.',
    room_is_nobody: 'applies only to a person, not to a room',
    wrong_night_time:
      'must be a time such as 17:00. For hours past midnight, keep counting up to 36:00',
    wrong_day: 'must be a date such as 2027-02-08',
    wrong_colour: 'must be a colour such as #0a7d5c',
    wrong_slug: 'must contain only a–z, 0–9 and single hyphens between them, such as sara-salon',
    slug_taken: 'is already used by another booking page',
    days_in_order: 'must not be before the first day',
    page_needs_slug: 'is required before the page can be switched on',
    page_needs_service:
      'can’t be switched on yet: nothing can be booked. At least one service must be on and need a person or room that is on and has hours',
    slots_in_order: 'must be after the start',
    too_many_slot_days: 'must be at most {max} days after the start',
  },
  ar: {
    no_such_service: 'هذه الخدمة غير موجودة.',
    no_such_resource: 'مقدّم الخدمة أو الغرفة غير موجود.',
    no_such_opening_change: 'هذه العطلة أو الساعات الاستثنائية غير موجودة.',
    unknown_resource: 'اختر مقدّم خدمة أو غرفة من هذا المشروع',
    too_many_services: 'بلغت الخدمات الحد الأقصى: {max, service}. احذف واحدة أولًا.',
    too_many_resources: 'بلغ مقدّمو الخدمة والغرف الحد الأقصى: {max, item}. احذف واحدًا أولًا.',
    too_many_opening_changes:
      'بلغت العطل والساعات الاستثنائية الحد الأقصى: {max, item}. احذف ما انتهى منها.',
    too_many_roles: 'الحد الأقصى للأدوار: {max, item}',
    service_has_appointments:
      'للخدمة حجوزات قادمة ({count, appointment}). أوقفها كي لا تُحجز من جديد، ثم احذفها بعد انتهاء المواعيد أو إلغائها.',
    resource_has_appointments:
      'ما زالت هناك حجوزات قادمة ({count, appointment}). أوقف استقبال المواعيد، ثم انقل ما حُجز أو ألغه.',
    resource_in_use: 'مستخدم في خدمات: {services, quoted}. أزله منها أولًا.',
    room_is_nobody: 'للأشخاص فقط، لا للغرف',
    wrong_night_time: 'اكتب وقتًا مثل `17:00`. وما بعد منتصف الليل يستمر عدّه حتى `36:00`',
    wrong_day: 'اكتب يومًا مثل `2027-02-08`',
    wrong_colour: 'اكتب لونًا مثل `#0a7d5c`',
    wrong_slug: 'أحرف لاتينية صغيرة وأرقام بينها `-` مفردة، مثل `sara-salon`',
    slug_taken: 'مستخدم في صفحة حجز أخرى',
    days_in_order: 'يجب ألا يسبق اليوم الأول',
    page_needs_slug: 'مطلوب قبل تفعيل الصفحة',
    page_needs_service:
      'لا يمكن تفعيل الصفحة بعد، إذ لا توجد خدمة متاحة للحجز. فعّل خدمة يقدّمها شخص أو غرفة مفعّلة ولها ساعات عمل',
    slots_in_order: 'يجب أن يأتي بعد البداية',
    too_many_slot_days: 'يجب أن يكون بعد البداية بما لا يزيد على {max, after day}',
  },
})
