import type { DeliveryLogFacts, WhatNow } from '../../core/facts/delivery-log.ts'
import type { ResendJobState } from '../../core/vocabulary/deliveries.ts'
import { countedAfter, written } from '../counted.ts'
import { inArabic, moment } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const WHAT_NOW: Record<WhatNow, string> = {
  send_another_test: 'صحّح ما تشير إليه المحاولة، ثم أرسل حدثًا تجريبيًا آخر.',
  endpoint_deleted: 'نقطة الاستقبال محذوفة.',
  back_to_plan: 'يمكن إعادة إرساله بعد العودة إلى باقة الأعمال.',
  resend: 'صحّح ما تشير إليه المحاولات، ثم أعد الإرسال.',
  switch_on: 'صحّح ما تشير إليه المحاولات، وفعّل نقطة الاستقبال، ثم أعد الإرسال.',
  resend_untried: 'يمكن إعادة إرساله.',
  switch_on_untried: 'فعّل نقطة الاستقبال، ثم أعد إرساله.',
  resend_delivered: 'أُعيد إرساله بعد ذلك، وتم التسليم.',
  resend_waits: 'أُعيد إرساله بعد ذلك، ولم يتم التسليم بعد.',
}

const WHY_DEAD = {
  test: () => 'فشل الحدث التجريبي. لا تُعاد محاولة الأحداث التجريبية.',
  gone: () => 'ردّت نقطة الاستقبال بالرمز 410، فلا محاولة بعدها.',
  all_failed: (attempts: number) => `فشلت كل المحاولات (${written(attempts)}).`,
}

const WHY_HELD = {
  plan: 'معلّق: نقاط الاستقبال غير متاحة في هذه الباقة. ارجع إلى باقة الأعمال ثم أرسله.',
  off: 'معلّق: نقطة الاستقبال موقوفة. فعّلها ثم أرسل المعلّق.',
  was_off: 'عُلّق عندما كانت نقطة الاستقبال موقوفة أو غير متاحة في الباقة. أرسل المعلّق.',
}

const JOB_OVER: Record<ResendJobState, string> = {
  running: 'جارية',
  paused: 'متوقفة مؤقتًا',
  done: 'مكتملة',
  cancelled: 'ملغاة',
}

export const AR_DELIVERY_LOG: Catalog<DeliveryLogFacts> = {
  no_such_delivery: () => 'هذا التسليم غير موجود في المشروع.',
  test_not_resent: () => 'لا يُعاد إرسال الحدث التجريبي. أرسل حدثًا تجريبيًا آخر.',
  event_too_old: ({ days }) =>
    `مضى على الحدث أكثر من ${countedAfter(days, 'day')}، ولم يعد محتواه محفوظًا.`,
  tests_and_resends_a_minute: ({ max, freeAt }) =>
    `الحد الأقصى للأحداث التجريبية وإعادات الإرسال في الدقيقة للحساب: ${written(max)}. أعد المحاولة من ${inArabic(moment(freeAt))}.`,
  log_watchers: ({ max }) =>
    `الحد الأقصى للصفحات المفتوحة على السجل في الحساب معًا: ${written(max)}. أغلق واحدة أولًا.`,
  session_watchers: ({ max }) =>
    `الحد الأقصى للاتصالات المباشرة المفتوحة في الجلسة الواحدة: ${written(max)}. أغلق واحدًا أولًا.`,
  no_such_job: () => 'مهمة إعادة الإرسال هذه غير موجودة في المشروع.',
  job_over: ({ state }) => `انتهت المهمة: ${JOB_OVER[state]}.`,
  job_under_way: () => 'لنقطة الاستقبال مهمة لم تنتهِ. انتظرها، أو ألغها أولًا.',

  delivery_waits: () => 'بانتظار المحاولة الأولى.',
  delivery_waits_again: ({ attempts, dueAt }) =>
    `فشلت المحاولة ${written(attempts)}. المحاولة التالية في ${inArabic(moment(dueAt))}.`,
  delivery_delivered: () => 'استلمته نقطة الاستقبال.',
  delivery_dead: ({ why, attempts, now }) => `${WHY_DEAD[why](attempts)} ${WHAT_NOW[now]}`,
  delivery_held: ({ why, attempts, days }) =>
    `${WHY_HELD[why]}${attempts === 0 ? '' : ` سبقت تجربته ${countedAfter(attempts, 'time')}، وقد يكون وصل إلى خادمك. معرّف الحدث هو نفسه.`} تنتهي صلاحيته بعد ${countedAfter(days, 'day')} من إنشائه.`,
  delivery_superseded: () => 'تم تسليم هذا الحدث بإعادة إرسال، فلا يُرسل مرة أخرى.',
  delivery_cancelled: () => 'حُذفت نقطة الاستقبال قبل إرساله.',
  delivery_expired: ({ days, now }) =>
    `انتهت صلاحيته بعد ${countedAfter(days, 'day')} دون تسليم. ${WHAT_NOW[now]}`,

  attempt_dns_failed: () => 'تعذّر العثور على عنوان الخادم.',
  attempt_address_refused: () => 'يشير اسم الخادم إلى عنوان غير عام، فلم يُرسل شيء.',
  attempt_url_refused: () => 'رابط نقطة الاستقبال غير مقبول.',
  attempt_connect_refused: () => 'لم يقبل الخادم الاتصال.',
  attempt_connect_timeout: ({ seconds }) => `لم يتم الاتصال خلال ${countedAfter(seconds, 'second')}.`,
  attempt_tls_failed: () => 'تعذّر إنشاء الاتصال الآمن.',
  attempt_connection_reset: () => 'أُغلق الاتصال قبل وصول رد.',
  attempt_timeout: ({ seconds }) => `لم يصل رد خلال ${countedAfter(seconds, 'second')}.`,
  attempt_bad_response: () => 'ما أرسله الخادم ليس ردًا بصيغة HTTP.',
  attempt_redirect_refused: () => 'كان الرد إعادة توجيه إلى رابط آخر، ولا نتبعها.',
  attempt_gone: () => 'كان الرد 410، وهو يوقف نقطة الاستقبال فورًا، إلا في حدث تجريبي.',
  attempt_unreadable: () => 'تعذّر تجهيز الحدث لدينا، فلم يُرسل شيء.',
  attempt_http_error: ({ status }) => `كان رد الخادم ${status}. الرد الناجح من 200 إلى 299 فقط.`,

  hint_dns_failed: () => 'راجع اسم الخادم في رابط نقطة الاستقبال وسجلات DNS. تُعاد المحاولة تلقائيًا.',
  hint_address_refused: () =>
    'وجّه اسم الخادم إلى عنوان عام. لا نصل إلى العناوين الخاصة والمحلية والمحجوزة.',
  hint_url_refused: () => 'عدّل رابط نقطة الاستقبال: https بلا اسم مستخدم، وعلى منفذ مناسب لخادم ويب.',
  hint_connect_refused: () =>
    'تأكد أن الخادم يعمل، وأنه يستمع على هذا المنفذ، وأن جدار الحماية لا يرفض طلباتنا.',
  hint_connect_timeout: () => 'تأكد أن الخادم يعمل، وأن جدار الحماية لا يتجاهل الاتصالات.',
  hint_tls_failed: () => 'راجع الشهادة: سارية، ولهذا الاسم، بسلسلتها الكاملة، ومن جهة إصدار عامة.',
  hint_connection_reset: () =>
    'راجع سجل أخطاء الخادم في هذا الوقت. كثيرًا ما يكون السبب خادمًا وسيطًا أو توقفًا مفاجئًا.',
  hint_timeout: () => 'ردّ بالرمز 200 أولًا، ثم نفّذ العمل. ربما استلم خادمك هذا الحدث: احفظ معرّفه.',
  hint_bad_response: () => 'تأكد أن هذا المنفذ يقدّم HTTPS، وراجع ما بين خدمتنا وبرنامجك.',
  hint_redirect_refused: () =>
    `ضع الرابط النهائي في نقطة الاستقبال. تحقق من ${inArabic('http')} أو ${inArabic('www')} ناقصة أو ${inArabic('/')} في آخره.`,
  hint_gone: () => 'لا ترد بالرمز 410 إلا لإيقاف الاستقبال نهائيًا. فعّل نقطة الاستقبال ثم أرسل المعلّق.',
  hint_unreadable: () => 'أبلغ مشغّل الخدمة: تعذّرت قراءة مفتاح سري أو محتوى محفوظ.',
  hint_http_400: () =>
    'يرى برنامجك أن الطلب غير صحيح. تحقق من بايتات المحتوى كما وصلت، قبل أي تحليل.',
  hint_http_401: () =>
    `تأكد أن التحقق من التوقيع بالمفتاح كاملًا، ومعه ${inArabic('whsec_')}، وعلى المحتوى كما وصل، وأن الرابط لا يطلب تسجيل دخول.`,
  hint_http_403: () =>
    'راجع جدار الحماية والحماية من الروبوتات، وتأكد أن التحقق من التوقيع على المحتوى كما وصل.',
  hint_http_404: () => 'راجع مسار الرابط في نقطة الاستقبال.',
  hint_http_405: () => `اجعل الرابط يقبل ${inArabic('POST')}.`,
  hint_http_413: ({ kilobytes }) => `اجعل الخادم يقبل محتوى حتى ${written(kilobytes)} ك.ب.`,
  hint_http_415: () => `اجعل الخادم يقبل ${inArabic('application/json; charset=utf-8')}.`,
  hint_http_429: () => 'يحدّ خادمك من طلباتنا. ارفع الحد، أو ردّ أولًا ونفّذ العمل لاحقًا.',
  hint_http_5xx: () =>
    'حدث خطأ في الخادم. راجع سجل أخطائه في هذا الوقت، وقد يوضح الرد أدناه المزيد.',
  hint_http_other: () => 'ردّ برمز من 200 إلى 299 بعد حفظ الحدث. قد يوضح الرد أدناه المزيد.',

  job_by_member: () => 'أوقفها أحد الأعضاء.',
  job_endpoint_off: () => 'نقطة الاستقبال موقوفة. فعّلها ثم استأنف المهمة.',
  job_endpoint_deleted: () => 'حُذفت نقطة الاستقبال.',
  job_not_in_plan: () =>
    'نقاط الاستقبال غير متاحة في هذه الباقة. ارجع إلى باقة الأعمال ثم استأنف المهمة.',
}
