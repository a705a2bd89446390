import type { CallFacts } from '../../facts/calls.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, moment, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Sentences } from '../sentences.ts'

export const AR_CALLS: Sentences<CallFacts> = {
  no_such_connection: () => 'لا يوجد نظام مرتبط كهذا في هذا المشروع.',
  no_such_action: () => 'لا يوجد إجراء كهذا في هذا المشروع.',
  no_such_call_step: () => 'لا توجد في المسار خطوة طلب إلى نظامك بهذا المعرّف.',
  connection_changed: () => 'تغيّر النظام المرتبط في هذه الأثناء. راجعه مرة أخرى.',
  connections_used_up: ({ most }) =>
    `الحد الأعلى للأنظمة المرتبطة بالمشروع: ${written(most)}. احذف واحدًا أولًا.`,
  connections_not_in_plan: ({ plan }) => `الأنظمة المرتبطة ليست من ${planInArabic(plan)}.`,
  connection_in_use: ({ flows, actions }) =>
    `هذا النظام مستعمل في: ${[
      ...flows.map((name) => `المسار ${quotedInArabic(name)}`),
      ...actions.map((name) => `الإجراء ${quotedInArabic(name)}`),
    ].join('، ')}. أزله من هناك أولًا.`,
  headers_not_settable: () => 'بعض الترويسات لا يمكن تعيينه.',
  credential_for_other_server: () => 'الخادم الآخر تلزمه بيانات الدخول مرة أخرى.',
  path_not_callable: () => 'لا يمكن طلب هذا المسلك.',
  actions_used_up: ({ most }) =>
    `الحد الأعلى لإجراءات المساعد في المشروع: ${written(most)}. احذف واحدًا أولًا.`,
  actions_not_in_plan: ({ plan }) => `إجراءات المساعد ليست من ${planInArabic(plan)}.`,
  action_name_taken: ({ name }) =>
    `في المشروع إجراء باسم ${quotedInArabic(name)} من قبل. يلزم اسم آخر.`,
  action_not_callable: () => 'لا يمكن تنفيذ الإجراء بهذا الشكل.',
  action_not_testable: () => 'لا يمكن تجربة الإجراء بهذا الشكل.',
  tests_of_calls_a_minute: ({ most, freeAt }) =>
    `الحد الأعلى لتجارب الطلبات في الدقيقة للحساب: ${written(most)}. أعد المحاولة من ${inArabic(moment(freeAt))}.`,

  call_connection_deleted: () => 'حُذف النظام المرتبط. اختر غيره.',
  call_connection_off: () => 'النظام المرتبط موقوف. فعّله لتُرسل الطلبات من جديد.',
  call_credential_unreadable: () =>
    'لا يمكن هنا قراءة بيانات الدخول المحفوظة. أدخلها مرة أخرى، أو اسأل من يدير الخدمة.',
  call_not_in_plan: () => 'الطلبات إلى نظامك ليست من هذه الباقة.',
  call_allowance_used_up: ({ most }) =>
    `استُهلكت حصة اليوم من الطلبات (${countedInArabic(most, 'call')}، بتوقيت UTC). تُرسل من جديد بعد منتصف الليل بتوقيت UTC.`,
  call_no_time_left: ({ seconds }) =>
    `استُهلك الوقت المتاح للطلبات بين رسالتين من العميل (${countedInArabic(seconds, 'second')}).`,
  call_not_wanted: () => 'أُلغي الطلب قبل إرساله مباشرة.',
  call_path_refused: () => 'لا يمكن طلب هذا المسلك. عدّل الطلب.',
  call_path_value_refused: () =>
    `في المسلك قيمة فارغة، أو فيها ${inArabic('/')} أو ${inArabic('\\')} أو ${inArabic('..')}.`,
  call_path_too_long: ({ most }) =>
    `صار المسلك وما بعده بعد ملء القيم أطول من ${countedAfter(most, 'character')}.`,
  call_header_refused: ({ most }) =>
    `في ترويسة بعد ملء القيم سطر جديد أو أكثر من ${countedAfter(most, 'character')}، أو لا يمكن تعيينها.`,
  call_body_refused: () => 'المحتوى بعد ملء القيم ليس كائن JSON ولا قائمة. عدّل الطلب.',
  call_body_too_large: ({ kilobytes }) =>
    `المحتوى بعد ملء القيم أكبر من ${written(kilobytes)} ك.ب.`,
  call_redirected_to: ({ status, origin }) =>
    `كان رد الخادم ${status}، وهو تحويل إلى ${inArabic(origin)}. لا نتبع التحويلات: استعمل الرابط النهائي.`,
  call_redirected_within: ({ status }) =>
    `كان رد الخادم ${status}، وهو تحويل إلى مسلك آخر على الخادم نفسه. لا نتبع التحويلات: استعمل الرابط النهائي.`,
  call_redirected: ({ status }) =>
    `كان رد الخادم ${status}، وهو تحويل. لا نتبع التحويلات: استعمل الرابط النهائي.`,
  call_answered: ({ status }) => `كان رد الخادم ${status}.`,
  call_answer_too_large: ({ kilobytes }) => `الرد أكبر من ${written(kilobytes)} ك.ب. اطلب أقل.`,
  call_answer_packed: ({ encoding }) =>
    `الرد مضغوط بصيغة ${encoding === null ? 'غير معروفة' : inArabic(encoding)} ولم يمكن فكّه. أرسله بصيغة ${inArabic('gzip')} أو ${inArabic('deflate')} أو ${inArabic('br')}، أو كما هو.`,
}
