import type { DeliveryLogFacts, WhatNow } from '../../facts/delivery-log.ts'
import type { ResendJobState } from '../../vocabulary/deliveries.ts'
import { countedAfter, written } from '../counted.ts'
import { inArabic, moment } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const WHAT_NOW: Record<WhatNow, string> = {
  send_another_test: 'أصلح ما تدل عليه المحاولة، ثم أرسل حدثًا تجريبيًا آخر.',
  endpoint_deleted: 'نقطة الاستقبال محذوفة.',
  back_to_plan: 'يمكن إعادة إرساله بعد العودة إلى باقة الأعمال.',
  resend: 'أصلح ما تدل عليه المحاولات، ثم أعد إرساله.',
  switch_on: 'أصلح ما تدل عليه المحاولات، وفعّل نقطة الاستقبال، ثم أعد إرساله.',
  resend_untried: 'يمكن إعادة إرساله.',
  switch_on_untried: 'فعّل نقطة الاستقبال، ثم أعد إرساله.',
  resend_delivered: 'أُعيد إرساله بعدها وسُلّم.',
  resend_waits: 'أُعيد إرساله بعدها ولم يُسلّم بعد.',
}

const WHY_DEAD = {
  test: () => 'فشل الحدث التجريبي. لا تُعاد محاولته أبدًا.',
  gone: () => 'ردّت نقطة الاستقبال بالرمز 410، فلا محاولة بعدها.',
  all_failed: (attempts: number) => `فشلت كل المحاولات (${written(attempts)}).`,
}

const WHY_HELD = {
  plan: 'معلّق: لا نقاط استقبال في هذه الباقة. عد إلى باقة الأعمال ثم أرسله.',
  off: 'معلّق: نقطة الاستقبال موقوفة. فعّلها ثم أرسل المعلّق.',
  was_off: 'عُلّق حين كانت نقطة الاستقبال موقوفة أو لم تكن في الباقة. أرسل المعلّق.',
}

const JOB_OVER: Record<ResendJobState, string> = {
  running: 'جارية',
  paused: 'متوقفة مؤقتًا',
  done: 'اكتملت',
  cancelled: 'أُلغيت',
}

export const AR_DELIVERY_LOG: Sentences<DeliveryLogFacts> = {
  no_such_delivery: () => 'لا يوجد تسليم كهذا في هذا المشروع.',
  test_not_resent: () => 'لا يُعاد إرسال الحدث التجريبي. أرسل حدثًا تجريبيًا آخر.',
  event_too_old: ({ days }) =>
    `مضى على الحدث أكثر من ${countedAfter(days, 'day')}: محتواه لم يعد محفوظًا.`,
  tests_and_resends_a_minute: ({ most, freeAt }) =>
    `للحساب في الدقيقة ${written(most)} من الأحداث التجريبية وإعادات الإرسال. أعد المحاولة من ${inArabic(moment(freeAt))}.`,
  log_watchers: ({ most }) =>
    `الحد الأعلى للصفحات التي تتابع التغييرات في الحساب معًا: ${written(most)}. أغلق واحدة أولًا.`,
  session_watchers: ({ most }) =>
    `الحد الأعلى للاتصالات المباشرة المفتوحة معًا في جلسة الدخول الواحدة: ${written(most)}. أغلق واحدًا أولًا.`,
  no_such_job: () => 'لا توجد مهمة إعادة إرسال كهذه في هذا المشروع.',
  job_over: ({ state }) => `انتهت المهمة: ${JOB_OVER[state]}.`,
  job_under_way: () => 'لنقطة الاستقبال مهمة لم تنتهِ. انتظرها، أو ألغها أولًا.',

  delivery_waits: () => 'ينتظر محاولته الأولى.',
  delivery_waits_again: ({ attempts, dueAt }) =>
    `فشلت المحاولة ${written(attempts)}. المحاولة التالية في ${inArabic(moment(dueAt))}.`,
  delivery_delivered: () => 'استلمته نقطة الاستقبال.',
  delivery_dead: ({ why, attempts, now }) => `${WHY_DEAD[why](attempts)} ${WHAT_NOW[now]}`,
  delivery_held: ({ why, attempts, days }) =>
    `${WHY_HELD[why]}${attempts === 0 ? '' : ` سبقت تجربته ${countedAfter(attempts, 'time')}، وقد يكون وصل إلى خادمك: معرّف الحدث هو نفسه.`} تنتهي صلاحيته بعد ${countedAfter(days, 'day')} من إنشائه.`,
  delivery_superseded: () => 'سُلّم هذا الحدث بإعادة إرسال في هذه الأثناء، فلا يُرسل شيء بعدها.',
  delivery_cancelled: () => 'حُذفت نقطة الاستقبال وهو ينتظر.',
  delivery_expired: ({ days, now }) =>
    `انتظر ${countedAfter(days, 'day')} ولم يُسلّم. ${WHAT_NOW[now]}`,

  attempt_dns_failed: () => 'تعذّر العثور على عنوان اسم الخادم.',
  attempt_address_refused: () => 'يقود اسم الخادم إلى عنوان غير عام، فلم يُرسل شيء.',
  attempt_url_refused: () => 'لا يمكن طلب رابط نقطة الاستقبال.',
  attempt_connect_refused: () => 'لم يقبل الخادم الاتصال.',
  attempt_connect_timeout: ({ seconds }) => `لم يتم الاتصال خلال ${countedAfter(seconds, 'second')}.`,
  attempt_tls_failed: () => 'تعذّر إنشاء الاتصال الآمن.',
  attempt_connection_reset: () => 'أُغلق الاتصال قبل وصول رد.',
  attempt_timeout: ({ seconds }) => `لم يصل رد خلال ${countedAfter(seconds, 'second')}.`,
  attempt_bad_response: () => 'ما أرسله الخادم ليس ردًا بصيغة HTTP.',
  attempt_redirect_refused: () => 'كان الرد تحويلًا إلى رابط آخر. لا نتبع التحويلات.',
  attempt_gone: () => 'كان الرد 410، وهو يوقف نقطة الاستقبال فورًا، إلا في حدث تجريبي.',
  attempt_unreadable: () => 'تعذّر تجهيز الحدث لدينا، فلم يُرسل شيء.',
  attempt_http_error: ({ status }) => `كان رد الخادم ${status}. النجاح رد من 200 إلى 299 فقط.`,

  hint_dns_failed: () => 'راجع اسم الخادم في رابط نقطة الاستقبال وسجلات DNS. تُعاد المحاولة من نفسها.',
  hint_address_refused: () =>
    'وجّه الاسم إلى عنوان عام. العناوين الخاصة والمحلية والمحجوزة لا تُطلب أبدًا.',
  hint_url_refused: () => 'عدّل نقطة الاستقبال: رابط https بلا اسم مستخدم، وعلى منفذ يصلح لخادم ويب.',
  hint_connect_refused: () =>
    'تأكد أن الخادم يعمل، وأنه يستمع على هذا المنفذ، وأن جدار الحماية لا يرفضنا.',
  hint_connect_timeout: () => 'تأكد أن الخادم يعمل، وأن جدار الحماية لا يُسقط الاتصالات بصمت.',
  hint_tls_failed: () => 'راجع الشهادة: سارية، ولهذا الاسم، بسلسلتها الكاملة، ومن جهة إصدار عامة.',
  hint_connection_reset: () =>
    'راجع سجل أخطاء الخادم في هذا الوقت. كثيرًا ما يغلق الاتصالَ وسيط أو توقّف مفاجئ.',
  hint_timeout: () => 'ردّ بـ 200 أولًا، ثم نفّذ العمل. ربما استلمت هذا الحدث: احفظ معرّفه.',
  hint_bad_response: () => 'تأكد أن هذا المنفذ يقدّم HTTPS، وراجع ما بيننا وبين برنامجك.',
  hint_redirect_refused: () =>
    `ضع العنوان النهائي في رابط نقطة الاستقبال. ابحث عن ${inArabic('http')} أو ${inArabic('www')} ناقصة أو ${inArabic('/')} في آخره.`,
  hint_gone: () => 'لا ترد بـ 410 إلا لكي لا تستلم شيئًا بعدها. فعّل نقطة الاستقبال ثم أرسل المعلّق.',
  hint_unreadable: () => 'أخبر من يدير الخدمة: مفتاح سري أو محتوى محفوظ لا يمكن قراءته.',
  hint_http_400: () => 'برنامجك يرى الطلب غير صحيح. تحقّق من بايتات المحتوى كما وصلت، قبل أي قراءة.',
  hint_http_401: () =>
    `تأكد أن التحقق من التوقيع بالمفتاح كاملًا، ومعه ${inArabic('whsec_')}، وعلى المحتوى كما وصل، وأن الرابط لا يطلب تسجيل دخول.`,
  hint_http_403: () =>
    'راجع جدار الحماية والحماية من البرامج الآلية، وأن التحقق من التوقيع على المحتوى كما وصل.',
  hint_http_404: () => 'راجع المسلك في رابط نقطة الاستقبال.',
  hint_http_405: () => `اجعل الرابط يقبل ${inArabic('POST')}.`,
  hint_http_413: ({ kilobytes }) => `اجعل الخادم يقبل محتوى حتى ${written(kilobytes)} ك.ب.`,
  hint_http_415: () => `اجعل الخادم يقبل ${inArabic('application/json; charset=utf-8')}.`,
  hint_http_429: () => 'خادمك يحدّ من طلباتنا. اجعله يقبلها أسرع، أو ردّ أولًا ونفّذ لاحقًا.',
  hint_http_5xx: () => 'فشل الخادم. راجع سجل أخطائه في هذا الوقت، وقد يوضح الرد أدناه أكثر.',
  hint_http_other: () => 'ردّ من 200 إلى 299 حين يُحفظ الحدث. قد يوضح الرد أدناه أكثر.',

  job_by_member: () => 'أوقفها أحد الأعضاء.',
  job_endpoint_off: () => 'نقطة الاستقبال موقوفة. فعّلها ثم استأنف المهمة.',
  job_endpoint_deleted: () => 'حُذفت نقطة الاستقبال.',
  job_not_in_plan: () => 'لا نقاط استقبال في هذه الباقة. عد إلى باقة الأعمال ثم استأنف المهمة.',
}
