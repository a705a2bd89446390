import type { TriggerFacts } from '../../facts/triggers.ts'
import { countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Sentences } from '../sentences.ts'

export const AR_TRIGGERS: Sentences<TriggerFacts> = {
  trigger_hooks_not_in_plan: ({ plan }) =>
    `بدء المسارات من نظامك ليس من ${planInArabic(plan)}: يجيب رابط التشغيل بالرمز ${inArabic('not_in_plan')}.`,
  trigger_cannot_begin: ({ channelType }) =>
    `المسار الذي يكتب إلى العميل أولًا يحتاج إلى قناة يمكنها بدء محادثة، وقناة ${inArabic(channelType)} لا يمكنها ذلك.`,
  trigger_keyword_empty: ({ word }) =>
    `الكلمة المفتاحية ${quotedInArabic(word)} ليس فيها ما يكتبه العميل: أضف حرفًا أو رقمًا أو رمزًا.`,
  trigger_keyword_too_long: ({ word }) =>
    `الكلمة المفتاحية ${quotedInArabic(word)} أطول من اللازم حين تُكتب رموزها كاملة: قلّل منها.`,
  trigger_keyword_taken: ({ word, flow }) =>
    `للمسار ${quotedInArabic(flow)} الكلمة المفتاحية ${quotedInArabic(word)} نفسها على هذه القناة: يبدأ المسار الذي نُشر أولًا.`,
  trigger_first_message_taken: ({ flow }) =>
    `المسار ${quotedInArabic(flow)} يبدأ بأول رسالة من العميل على هذه القناة. أوقفه أولًا.`,
  trigger_template_missing: ({ template }) =>
    `لا يوجد في القناة قالب باسم ${quotedInArabic(template)}.`,
  trigger_button_missing: ({ template, button, buttons }) =>
    `ليس في القالب ${quotedInArabic(template)} زر ${quotedInArabic(button)}${buttons.length === 0 ? '، وليس فيه زر يرد به العميل' : `. اختر ${buttons.map(quotedInArabic).join(' أو ')}`}.`,
  trigger_button_taken: ({ template, button, flow }) =>
    `المسار ${quotedInArabic(flow)} يبدأ أيضًا بالزر ${quotedInArabic(button)} من القالب ${quotedInArabic(template)}: يبدأ المسار الذي نُشر أولًا.`,
  run_left_for_another: () => 'بدأ العميل مسارًا آخر بدل الرد.',
  flow_changed: () => 'غيّر شخص آخر هذا المسار في هذه الأثناء. راجعه قبل أن تحفظ.',
  start_flow_off: () => 'المسار غير منشور أو موقوف. انشره أو فعّله أولًا.',
  start_flow_beyond_plan: ({ plan, most }) =>
    `المسار زائد على ما في ${planInArabic(plan)}: ${countedInArabic(most, 'flow')}. أوقف مسارًا آخر أولًا.`,
  start_flow_not_manual: ({ trigger }) =>
    `يبدأ الأعضاء المسارات التي محفّزها ${quotedInArabic('manual')}، ومحفّز هذا المسار ${quotedInArabic(trigger)}.`,
  start_channel_not_connected: () => 'قناة المسار غير متصلة. يلزم ربطها من جديد.',
  start_contact_not_on_channel: () =>
    'ليس لجهة الاتصال هذه محادثة على قناة المسار ولا رقم هاتف: اختر غيرها',
  contact_without_number: () =>
    'ليس لجهة الاتصال رقم هاتف نكتب إليه. أضف رقمًا أو انتظر حتى يكتب العميل.',
  start_opted_out: () => 'أوقف العميل الرسائل. لا تراسله بطريقة أخرى.',
  start_window_closed: ({ step }) =>
    `لم يكتب العميل منذ مدة، فيجب أن يرسل المسار قالبًا قبل أي شيء آخر؛ ويمكن أن تأتي الخطوة ${quotedInArabic(step)} قبل القالب.`,
}
