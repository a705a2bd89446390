import type { PublishFacts } from '../../core/facts/publish.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'
import { lengthInArabic, partInArabic } from './runs.ts'

const version = ({ template, language }: { template: string; language: string }) =>
  `القالب ${quotedInArabic(template)} (${inArabic(language)})`

export const AR_PUBLISH: Catalog<PublishFacts> = {
  in_plan: ({ plan }) => `${planInArabic(plan)} لا تشمل المسارات.`,
  flows_of_plan: ({ plan, max }) =>
    `بلغت المسارات المنشورة والمفعّلة حد ${planInArabic(plan)} (${countedInArabic(max, 'flow')}). أوقف مسارًا آخر أولًا.`,
  calls_not_in_plan: ({ plan }) =>
    `${planInArabic(plan)} لا تشمل الطلبات إلى نظامك: تسلك هذه الخطوات مخرج «فشل».`,
  channel_not_chosen: () => 'اختر القناة التي يعمل عليها المسار.',
  channel_gone: () => 'لم تعد قناة هذا المسار موجودة.',
  channel_connected: () => 'القناة غير مرتبطة. أعد ربطها.',
  channel_type_sends_nothing: ({ channelType }) =>
    `لا يمكن الإرسال عبر قناة من نوع ${inArabic(channelType)}.`,
  channel_type_has_no_templates: ({ channelType }) =>
    `القنوات من نوع ${inArabic(channelType)} لا تدعم القوالب.`,

  start_exists: ({ step }) => `يبدأ المسار بالخطوة ${quotedInArabic(step)}، وهي غير موجودة.`,
  reachable: ({ step }) => `لا يصل المسار إلى الخطوة ${quotedInArabic(step)}.`,
  next_exists: ({ step, exit, to }) =>
    `المخرج ${quotedInArabic(exit)} من الخطوة ${quotedInArabic(step)} يؤدي إلى ${quotedInArabic(to)}، وهي غير موجودة.`,
  loop_waits: ({ step }) => `يعود المسار إلى الخطوة ${quotedInArabic(step)} بلا انتظار بينهما.`,
  calls_in_a_row: ({ max, calls }) =>
    `الحد الأقصى للطلبات إلى نظامك بين رسالتين من العميل ${countedInArabic(max, 'call')}. آخر خطوة في المسار ${calls.map(quotedInArabic).join('، ')} تتجاوزه.`,
  template_first: ({ step }) =>
    `المسار الذي يبدأ بمراسلة العميل يجب أن يبدأ بقالب، والخطوة ${quotedInArabic(step)} قد تسبقه.`,
  template_first_or_window: ({ step }) =>
    `قد تأتي الخطوة ${quotedInArabic(step)} قبل أي قالب، فلا يبدأ المسار إلا مع عميل نافذة الرد معه مفتوحة.`,
  template_never_sent: () =>
    'المسار الذي يبدأ بمراسلة العميل يجب أن يرسل قالبًا، وهذا المسار لا يرسل أي قالب.',
  reply_window: ({ step, hours }) =>
    `قد تأتي الخطوة ${quotedInArabic(step)} قبل أن يرد العميل، فتفشل إن لم يكتب خلال ${countedAfter(hours, 'hour')}.`,
  variable_set: ({ step, variable }) =>
    `لا تحدد أي خطوة قبل ${quotedInArabic(step)} قيمة المتغيّر ${quotedInArabic(variable)}، فهو فارغ.`,

  text_length: ({ length, max, unit }) =>
    `الرسالة أطول من المسموح في القناة: طولها ${lengthInArabic(length, unit)}، والحد الأقصى ${written(max)}.`,
  template_version_missing: ({ template, language }) =>
    `لا توجد نسخة من القالب ${quotedInArabic(template)} باللغة ${inArabic(language)}.`,
  template_version_not_approved: ({ template, language, status }) =>
    `القالب ${quotedInArabic(template)} غير معتمد باللغة ${inArabic(language)}، وحالته ${inArabic(status)}.`,
  template_version_not_fillable: (of) =>
    `في ${version(of)} جزء لا يمكن للمسار تعبئته: ${partInArabic(of)}.`,
  template_header_needed: (of) => `${version(of)} يحتاج إلى قيمة لرأسه.`,
  template_value_needed: (of) =>
    `${version(of)} يحتاج إلى قيمة لـ ${inArabic(`{{${of.variable}}}`)} في نصه.`,
  template_link_needed: (of) =>
    `${version(of)} يحتاج إلى قيمة لرابط الزر ${quotedInArabic(of.button)} (${written(of.index)}).`,
  options_given: () => 'سؤال الاختيار يحتاج إلى خيار واحد على الأقل.',
  options_differ: ({ label }) =>
    `الخيار ${quotedInArabic(label)} مكرر، باسمه أو بقيمته: لا يمكن التمييز بين الإجابات.`,
  option_label_length: ({ label, max }) =>
    `الخيار ${quotedInArabic(label)} أطول من المسموح. الحد الأقصى في القناة بهذا العدد من الخيارات ${countedInArabic(max, 'character')}.`,
  bounds_in_order: () => 'أكبر قيمة مقبولة أصغر من أصغر قيمة.',
  tags_given: () => 'حدّد وسمًا للإضافة أو للإزالة.',
  field_exists: ({ key }) => `لا يوجد حقل باسم ${quotedInArabic(key)} في جهات الاتصال. أضفه أولًا.`,
  member_exists: () => 'العضو المحدد للإسناد لم يعد في الحساب. اختر غيره.',
  file_exists: () => 'لم يعد الملف موجودًا. ارفعه للمسارات أو اختر غيره.',
  service_bookable: () =>
    'لا يمكن حجز هذه الخدمة: اختر خدمة مفعّلة يقدّمها شخص أو غرفة لها ساعات عمل.',
  service_needs_resource: () => 'مقدّم الخدمة أو الغرفة المحددة ليست ضمن هذه الخدمة.',
  number_to_compare: () => 'قيمة المقارنة ليست رقمًا. اكتب رقمًا مثل 100 أو 99.5.',
  list_to_compare: () => 'قائمة المقارنة فارغة. اكتب قيمها وبينها فواصل.',
  value_to_compare: () => 'قيمة المقارنة فارغة. اكتب قيمة، أو اختر المقارنة «فارغ».',
  opening_hours_set: () => 'لم تُحدَّد ساعات العمل. حدّدها أولًا.',
  connection_exists: () => 'النظام المرتبط بهذا الطلب لم يعد موجودًا. اختر غيره.',
  connection_on: ({ name }) =>
    `النظام المرتبط ${quotedInArabic(name)} موقوف: تسلك الخطوة مخرج «فشل» حتى يُفعَّل.`,
  request_valid: ({ field, said }, format) => `${inArabic(field)}: ${format(said)}.`,
}
