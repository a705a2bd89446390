import type { PublishFacts } from '../../facts/publish.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Sentences } from '../sentences.ts'
import { lengthInArabic, partInArabic } from './runs.ts'

const version = ({ template, language }: { template: string; language: string }) =>
  `القالب ${quotedInArabic(template)} (${inArabic(language)})`

export const AR_PUBLISH: Sentences<PublishFacts> = {
  in_plan: ({ plan }) => `${planInArabic(plan)} لا تشمل المسارات.`,
  flows_of_plan: ({ plan, most }) =>
    `بلغت المسارات المنشورة والمفعّلة حد ${planInArabic(plan)} (${countedInArabic(most, 'flow')}). يلزم إيقاف مسار آخر أولًا.`,
  calls_not_in_plan: ({ plan }) =>
    `${planInArabic(plan)} لا تشمل الطلبات إلى نظامك: تسلك هذه الخطوات مخرج الفشل.`,
  channel_not_chosen: () => 'يلزم اختيار القناة التي يعمل عليها المسار.',
  channel_gone: () => 'القناة التي يعمل عليها المسار لم تعد موجودة.',
  channel_connected: () => 'القناة غير متصلة. يلزم ربطها من جديد.',
  channel_type_sends_nothing: ({ channelType }) =>
    `لا يمكن إرسال شيء على قناة من نوع ${inArabic(channelType)}.`,
  channel_type_has_no_templates: ({ channelType }) =>
    `لا قوالب في قناة من نوع ${inArabic(channelType)}.`,

  start_exists: ({ step }) => `يبدأ المسار بالخطوة ${quotedInArabic(step)}، وهي غير موجودة.`,
  reachable: ({ step }) => `لا طريق من البداية إلى الخطوة ${quotedInArabic(step)}.`,
  next_exists: ({ step, exit, to }) =>
    `المخرج ${quotedInArabic(exit)} من الخطوة ${quotedInArabic(step)} يؤدي إلى ${quotedInArabic(to)}، وهي غير موجودة.`,
  loop_waits: ({ step }) => `يعود المسار إلى الخطوة ${quotedInArabic(step)} دون انتظار بينهما.`,
  calls_in_a_row: ({ most, calls }) =>
    `الحد الأعلى لما يرسله المسار إلى نظامك بين رسالتين من العميل ${countedInArabic(most, 'call')}؛ آخر خطوة في الطريق ${calls.map(quotedInArabic).join('، ')} تتجاوزه.`,
  template_first: ({ step }) =>
    `المسار الذي يكتب إلى العميل أولًا يجب أن يبدأ بإرسال قالب؛ يمكن أن تسبقه الخطوة ${quotedInArabic(step)}.`,
  template_first_or_window: ({ step }) =>
    `يمكن أن تأتي الخطوة ${quotedInArabic(step)} قبل أي قالب: لا يُبدأ المسار إلا لعميل نافذة الرد معه مفتوحة.`,
  template_never_sent: () =>
    'المسار الذي يكتب إلى العميل أولًا يجب أن يرسل قالبًا، وهذا لا يرسل أي قالب.',
  reply_window: ({ step, hours }) =>
    `يمكن أن تأتي الخطوة ${quotedInArabic(step)} قبل أن يرد العميل: تفشل إن لم يكتب خلال ${countedAfter(hours, 'hour')}.`,
  variable_set: ({ step, variable }) =>
    `لا خطوة قبل ${quotedInArabic(step)} تحدد المتغيّر ${quotedInArabic(variable)}، فهو فارغ.`,

  text_length: ({ length, most, unit }) =>
    `الرسالة أطول من المسموح في القناة: طولها ${lengthInArabic(length, unit)}، والحد ${written(most)}.`,
  template_version_missing: ({ template, language }) =>
    `لا نسخة من القالب ${quotedInArabic(template)} باللغة ${inArabic(language)}.`,
  template_version_not_approved: ({ template, language, status }) =>
    `القالب ${quotedInArabic(template)} غير معتمد باللغة ${inArabic(language)}: حالته ${inArabic(status)}.`,
  template_version_not_fillable: (of) =>
    `في ${version(of)} ما لا يستطيع المسار ملأه: ${partInArabic(of)}.`,
  template_header_needed: (of) => `${version(of)} يحتاج إلى قيمة لترويسته.`,
  template_value_needed: (of) =>
    `${version(of)} يحتاج إلى قيمة لـ ${inArabic(`{{${of.variable}}}`)} في نصه.`,
  template_link_needed: (of) =>
    `${version(of)} يحتاج إلى قيمة لرابط الزر ${quotedInArabic(of.button)} (${written(of.index)}).`,
  options_given: () => 'سؤال الاختيار يحتاج إلى خيار واحد على الأقل.',
  options_differ: ({ label }) =>
    `الخيار ${quotedInArabic(label)} مكرر، باسمه أو بقيمته: لا يمكن التمييز بين الإجابات.`,
  option_label_length: ({ label, most }) =>
    `الخيار ${quotedInArabic(label)} أطول من المسموح: الحد في القناة بهذا العدد من الخيارات ${countedInArabic(most, 'character')}.`,
  bounds_in_order: () => 'أكبر قيمة مقبولة أصغر من أصغر قيمة.',
  tags_given: () => 'يلزم تحديد وسم للإضافة أو للإزالة.',
  field_exists: ({ key }) => `لا حقل باسم ${quotedInArabic(key)} لجهات الاتصال. يلزم إضافته أولًا.`,
  member_exists: () => 'من ستُسند إليه المحادثة لم يعد عضوًا في الحساب. يلزم اختيار غيره.',
  file_exists: () => 'الملف لم يعد موجودًا. يلزم رفعه للمسارات أو اختيار غيره.',
  service_bookable: () => 'لا يمكن حجز هذه الخدمة: اختر خدمة مُشغَّلة ولها أشخاص أو أماكن بأوقات عمل.',
  service_needs_resource: () => 'هذا الشخص أو المكان ليس مما تحتاج إليه الخدمة.',
  number_to_compare: () => 'ما تجري المقارنة به ليس رقمًا. يلزم رقم مثل 100 أو 99.5.',
  list_to_compare: () => 'قائمة المقارنة فارغة. يلزم كتابة كلماتها وبينها فواصل.',
  opening_hours_set: () => 'لم تُحدد أوقات العمل. يلزم تحديدها أولًا.',
  connection_exists: () => 'النظام المرتبط بهذا الطلب لم يعد موجودًا. يلزم اختيار غيره.',
  connection_on: ({ name }) =>
    `النظام المرتبط ${quotedInArabic(name)} موقوف: تسلك الخطوة مخرج الفشل إلى أن يُفعّل.`,
  request_valid: ({ field, said }, tell) => `${inArabic(field)}: ${tell(said)}.`,
}
