import type { CallFacts } from '../../core/facts/calls.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, moment, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'

export const AR_CALLS: Catalog<CallFacts> = {
  no_such_connection: () => 'هذا النظام المرتبط غير موجود في المشروع.',
  no_such_action: () => 'هذا الإجراء غير موجود في المشروع.',
  no_such_call_step: () => 'لا توجد في المسار خطوة «طلب إلى نظامك» بهذا المعرّف.',
  connection_changed: () => 'تغيّر النظام المرتبط أثناء تعديلك. راجعه مرة أخرى.',
  connections_used_up: ({ max }) =>
    `الحد الأقصى للأنظمة المرتبطة في المشروع: ${written(max)}. احذف واحدًا أولًا.`,
  connections_not_in_plan: ({ plan }) => `الأنظمة المرتبطة غير متاحة في ${planInArabic(plan)}.`,
  connection_in_use: ({ flows, actions }) =>
    `هذا النظام مستخدم في: ${[
      ...flows.map((name) => `المسار ${quotedInArabic(name)}`),
      ...actions.map((name) => `الإجراء ${quotedInArabic(name)}`),
    ].join('، ')}. أزله منها أولًا.`,
  headers_not_settable: () => 'لا يمكن تعيين بعض الترويسات.',
  credential_for_other_server: () => 'عند تغيير الخادم يلزم إدخال بيانات الدخول مرة أخرى.',
  path_not_callable: () => 'مسار الرابط غير مقبول.',
  actions_used_up: ({ max }) =>
    `الحد الأقصى لإجراءات المساعد في المشروع: ${written(max)}. احذف واحدًا أولًا.`,
  actions_not_in_plan: ({ plan }) => `إجراءات المساعد غير متاحة في ${planInArabic(plan)}.`,
  action_name_taken: ({ name }) =>
    `يوجد في المشروع إجراء باسم ${quotedInArabic(name)} بالفعل. اختر اسمًا آخر.`,
  action_not_callable: () => 'لا يمكن تنفيذ الإجراء بهذا الشكل.',
  action_not_testable: () => 'لا يمكن اختبار الإجراء بهذا الشكل.',
  tests_of_calls_a_minute: ({ max, freeAt }) =>
    `الحد الأقصى لاختبارات الطلبات في الدقيقة للحساب: ${written(max)}. أعد المحاولة من ${inArabic(moment(freeAt))}.`,

  call_connection_deleted: () => 'حُذف النظام المرتبط. اختر غيره.',
  call_connection_off: () => 'النظام المرتبط موقوف. فعّله لإرسال الطلبات من جديد.',
  call_credential_unreadable: () =>
    'تعذّرت قراءة بيانات الدخول المحفوظة. أدخلها مرة أخرى، أو اسأل مشغّل الخدمة.',
  call_not_in_plan: () => 'الطلبات إلى نظامك غير متاحة في هذه الباقة.',
  call_allowance_used_up: ({ max }) =>
    `نفدت حصة اليوم من الطلبات (${countedInArabic(max, 'call')}، بتوقيت UTC). تتجدّد بعد منتصف الليل بتوقيت UTC.`,
  call_no_time_left: ({ seconds }) =>
    `نفد الوقت المتاح للطلبات بين رسالتين من العميل (${countedInArabic(seconds, 'second')}).`,
  call_not_wanted: () => 'أُلغي الطلب قبل إرساله مباشرة.',
  call_path_refused: () => 'مسار الرابط غير مقبول. عدّل الطلب.',
  call_path_value_refused: () =>
    `في مسار الرابط قيمة فارغة، أو فيها ${inArabic('/')} أو ${inArabic('\\')} أو ${inArabic('..')}.`,
  call_path_too_long: ({ max }) =>
    `مسار الرابط ومعاملاته بعد ملء القيم أطول من ${countedAfter(max, 'character')}.`,
  call_header_refused: ({ max }) =>
    `في ترويسة بعد ملء القيم سطر جديد أو أكثر من ${countedAfter(max, 'character')}، أو لا يمكن تعيينها.`,
  call_body_refused: () => 'المحتوى بعد ملء القيم ليس كائن JSON ولا قائمة. عدّل الطلب.',
  call_body_too_large: ({ kilobytes }) =>
    `المحتوى بعد ملء القيم أكبر من ${written(kilobytes)} ك.ب.`,
  call_redirected_to: ({ status, origin }) =>
    `ردّ الخادم بالرمز ${status}، وهو إعادة توجيه إلى ${inArabic(origin)}. لا نتبع إعادة التوجيه، فاستخدم الرابط النهائي.`,
  call_redirected_within: ({ status }) =>
    `ردّ الخادم بالرمز ${status}، وهو إعادة توجيه إلى مسار رابط آخر على الخادم نفسه. لا نتبع إعادة التوجيه، فاستخدم الرابط النهائي.`,
  call_redirected: ({ status }) =>
    `كان رد الخادم ${status}، وهو إعادة توجيه، ولا نتبعها. استخدم الرابط النهائي.`,
  call_answered: ({ status }) => `كان رد الخادم ${status}.`,
  call_answer_too_large: ({ kilobytes }) =>
    `الرد أكبر من ${written(kilobytes)} ك.ب. اطلب بيانات أقل.`,
  call_answer_packed: ({ encoding }) =>
    `الرد مضغوط بصيغة ${encoding === null ? 'غير معروفة' : inArabic(encoding)} وتعذّر فك ضغطه. أرسله بصيغة ${inArabic('gzip')} أو ${inArabic('deflate')} أو ${inArabic('br')}، أو بلا ضغط.`,
}
