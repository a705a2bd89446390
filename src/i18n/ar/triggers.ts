import type { TriggerFacts } from '../../core/facts/triggers.ts'
import { countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'

export const AR_TRIGGERS: Catalog<TriggerFacts> = {
  trigger_hooks_not_in_plan: ({ plan }) =>
    `بدء المسارات من نظامك غير متاح في ${planInArabic(plan)}: يرد رابط التشغيل بالرمز ${inArabic('not_in_plan')}.`,
  trigger_cannot_begin: ({ channelType }) =>
    `المسار الذي يبدأ بمراسلة العميل يحتاج إلى قناة يمكنها بدء محادثة، وقناة ${inArabic(channelType)} لا يمكنها ذلك.`,
  trigger_keyword_empty: ({ word }) =>
    `الكلمة المفتاحية ${quotedInArabic(word)} ليس فيها ما يمكن للعميل كتابته: أضف حرفًا أو رقمًا أو رمزًا.`,
  trigger_keyword_too_long: ({ word }) =>
    `الكلمة المفتاحية ${quotedInArabic(word)} أطول من المسموح بعد كتابة رموزها كاملة: قلّل الرموز.`,
  trigger_keyword_taken: ({ word, flow }) =>
    `الكلمة المفتاحية ${quotedInArabic(word)} مستخدمة في المسار ${quotedInArabic(flow)} على هذه القناة أيضًا: يبدأ المسار الذي نُشر أولًا.`,
  trigger_first_message_taken: ({ flow }) =>
    `المسار ${quotedInArabic(flow)} يبدأ بالفعل بأول رسالة من العميل على هذه القناة. أوقفه أولًا.`,
  trigger_template_missing: ({ template }) =>
    `لا يوجد قالب باسم ${quotedInArabic(template)} في القناة.`,
  trigger_button_missing: ({ template, button, buttons }) =>
    `ليس في القالب ${quotedInArabic(template)} زر ${quotedInArabic(button)}${buttons.length === 0 ? '، وليس فيه زر يرد به العميل' : `. اختر ${buttons.map(quotedInArabic).join(' أو ')}`}.`,
  trigger_button_taken: ({ template, button, flow }) =>
    `المسار ${quotedInArabic(flow)} يبدأ أيضًا بالزر ${quotedInArabic(button)} من القالب ${quotedInArabic(template)}: يبدأ المسار الذي نُشر أولًا.`,
  run_left_for_another: () => 'بدأ العميل مسارًا آخر بدل الرد.',
  flow_changed: () => 'غيّر شخص آخر هذا المسار أثناء تعديلك. راجعه قبل الحفظ.',
  start_flow_off: () => 'المسار غير منشور أو موقوف. انشره أو فعّله أولًا.',
  start_flow_beyond_plan: ({ plan, max }) =>
    `المسار خارج حد ${planInArabic(plan)}: ${countedInArabic(max, 'flow')}. أوقف مسارًا آخر أولًا.`,
  start_flow_not_manual: ({ trigger }) =>
    `يبدأ الأعضاء المسارات التي محفّزها ${quotedInArabic('manual')} فقط، ومحفّز هذا المسار ${quotedInArabic(trigger)}.`,
  start_channel_not_connected: () => 'قناة المسار غير مرتبطة. أعد ربطها.',
  start_contact_not_on_channel: () =>
    'لا توجد لجهة الاتصال هذه محادثة على قناة المسار ولا رقم هاتف: اختر غيرها',
  contact_without_number: () => 'لا يوجد رقم هاتف لجهة الاتصال. أضف رقمًا، أو انتظر حتى يكتب العميل.',
  start_opted_out: () => 'أوقف العميل الرسائل. لا تراسله بأي طريقة أخرى.',
  start_window_closed: ({ step }) =>
    `نافذة الرد مع العميل مغلقة، فيجب أن يبدأ المسار بقالب، والخطوة ${quotedInArabic(step)} قد تسبقه.`,
}
