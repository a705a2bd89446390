import type { HookFacts } from '../../core/facts/hooks.ts'
import { countedAfter, countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import { planInArabic } from '../plan-in-arabic.ts'
import type { Catalog } from '../catalog.ts'

export const AR_HOOKS: Catalog<HookFacts> = {
  no_such_hook_url: () => 'رابط التشغيل هذا غير موجود في المشروع.',
  hook_urls_not_in_plan: ({ plan }) => `البدء من نظامك غير متاح في ${planInArabic(plan)}.`,
  flow_has_hook_url: () => 'للمسار رابط تشغيل بالفعل. استبدله إن لزم.',
  hook_urls_used_up: ({ max }) =>
    `الحد الأقصى لروابط التشغيل في المشروع: ${written(max)}. احذف واحدًا أولًا.`,

  hook_started_before: () => 'بدأ هذا المفتاح من قبل التنفيذ المذكور هنا.',
  hook_not_taken_in: () => 'تعذّر استلام الطلب. أرسله مرة أخرى.',
  hook_not_taken_in_now: () => 'تعذّر استلام الطلب. أرسله مرة أخرى بعد دقيقة بالمفتاح نفسه.',
  hook_too_many_waiting: () => 'طلبات كثيرة في الانتظار. أعد المحاولة بعد دقيقة.',
  hook_not_counted: () => 'تعذّر احتساب الطلبات الآن. أعد المحاولة بعد دقيقة.',
  hook_not_http: () => `الطلب ليس ${inArabic('HTTP/1.1')} صالحًا. أرسله بمكتبة ${inArabic('HTTP')}.`,
  hook_head_too_large: ({ max }) =>
    `الرابط والترويسات معًا أكبر من ${countedAfter(max, 'byte')}. أرسل ترويسات أقل أو أقصر.`,
  hook_too_slow: ({ seconds }) =>
    `لم يصل الطلب كاملًا خلال ${countedAfter(seconds, 'second')}. أعد إرساله بالمفتاح نفسه.`,
  hook_needs_post: () => `أرسل الطلب بالطريقة ${inArabic('POST')}.`,
  hook_type_not_json: () =>
    `أرسل المحتوى بالنوع ${inArabic('application/json')} وبدون ${inArabic('Content-Encoding')}.`,
  hook_body_too_large: ({ max }) => `المحتوى أكبر من ${countedAfter(max, 'byte')}.`,
  hook_too_many_bodies: () => 'تصل طلبات كثيرة في الوقت نفسه. أعد المحاولة بعد دقيقة.',
  hooks_paused: () => 'استقبال الطلبات متوقف مؤقتًا. أعد المحاولة بعد دقيقة.',
  hook_token_unknown: () => 'لا يوجد رابط تشغيل بهذا الرمز. انسخ الرابط مرة أخرى من محرّر المسار.',
  hook_account_on_hold: () => 'يُنقل هذا الحساب إلى خادم آخر. أعد المحاولة بعد دقيقة.',
  hook_account_moved: () => 'نُقل هذا الحساب إلى خادم آخر. استخدم الرابط الذي يعطيك إياه مشغّله.',
  hook_requests_to_url: ({ max }) =>
    `تجاوزت طلبات هذا الرابط في الدقيقة الحد الأقصى: ${written(max)}.`,
  hook_requests_to_company: ({ max }) =>
    `تجاوزت طلبات التشغيل في المشروع في الساعة الحد الأقصى: ${written(max)}.`,
  hook_key_too_long: ({ max }) =>
    `الترويسة ${inArabic('Idempotency-Key')} أطول من ${countedAfter(max, 'character')}.`,
  hook_body_not_utf8: () => 'المحتوى ليس بترميز UTF-8.',
  hook_body_not_json: () => 'المحتوى ليس JSON.',
  hook_body_not_container: () => 'يجب أن يكون المحتوى كائن JSON أو قائمة.',
  hook_starts_not_in_plan: ({ plan }) => `بدء المسارات من نظامك غير متاح في ${planInArabic(plan)}.`,
  hook_flow_off: () => 'المسار غير منشور أو موقوف.',
  hook_flow_beyond_plan: ({ flows }) => `المسار خارج حد الباقة: ${countedInArabic(flows, 'flow')}.`,
  hook_flow_not_listening: () => 'المسار المنشور لا يبدأ من نظامك.',
  hook_channel_not_connected: () => 'رقم واتساب في المسار غير مرتبط.',
  hook_phone_unreadable: ({ path }) => `لا يوجد رقم هاتف مقروء في الموضع ${quotedInArabic(path)}.`,
  hook_templates_not_in_plan: () => 'القوالب الآلية غير متاحة في هذه الباقة.',
  hook_account_templates: ({ max }) =>
    `نفدت حصة الحساب اليومية من القوالب الآلية (${countedInArabic(max, 'template')}، بتوقيت UTC).`,
  hook_customer_templates: ({ max }) =>
    `بلغ العميل حد القوالب الآلية في آخر 24 ساعة (${countedInArabic(max, 'template')}).`,
  hook_opted_out: () => 'أوقف العميل الرسائل. لا تراسله بأي طريقة أخرى.',

  phone_unreadable: () =>
    `هذا ليس رقم هاتف مقروءًا. اكتبه مع رمز الدولة، مثل ${inArabic('+966501234567')}.`,
}
