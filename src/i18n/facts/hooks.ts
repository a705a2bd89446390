import type { HookFacts } from '../../core/facts/hooks.ts'
import { defineFacts } from '../define-facts.ts'

export const hookFacts = defineFacts<HookFacts>()({
  en: {
    no_such_hook_url: 'No hook URL with this ID.',
    hook_urls_not_in_plan: 'Hooks aren’t included in the {plan} plan.',
    flow_has_hook_url: 'The flow already has a hook URL. Replace it instead.',
    hook_urls_used_up: 'You can have at most {max} hook URLs. Delete one first.',
    hook_started_before: 'This key already started the run with this ID.',
    hook_not_taken_in: 'The request couldn’t be processed. Send it again.',
    hook_not_taken_in_now:
      'The request couldn’t be processed. Send it again in a minute with the same key.',
    hook_too_many_waiting: 'Too many requests are queued. Try again in a minute.',
    hook_not_counted: 'Requests can’t be counted right now. Try again in a minute.',
    hook_needs_post: 'Use POST.',
    hook_not_http: 'The request isn’t valid HTTP/1.1. Send it with an HTTP library.',
    hook_head_too_large:
      'The URL and headers together are larger than {max, plain} bytes. Send fewer or shorter headers.',
    hook_too_slow:
      'The request didn’t arrive completely within {seconds} seconds. Send it again with the same key.',
    hook_type_not_json: 'Send the body as application/json, without a Content-Encoding.',
    hook_body_too_large: 'The body is larger than {max, plain} bytes.',
    hook_too_many_bodies: 'Too many requests are arriving at once. Try again in a minute.',
    hooks_paused: 'Hooks are paused. Try again in a minute.',
    hook_token_unknown:
      'No hook has this token. Copy the current URL, or replace it in the flow builder.',
    hook_account_on_hold: 'This account is being moved to another server. Try again in a minute.',
    hook_account_moved:
      'This account has moved to another server. Use the URL that its operator gives you.',
    hook_requests_to_url: 'More than {max, plain} requests a minute to this URL.',
    hook_requests_to_company: 'More than {max, plain} requests an hour to the account’s hooks.',
    hook_key_too_long: 'Idempotency-Key is longer than {max} characters.',
    hook_body_not_utf8: 'The body isn’t UTF-8.',
    hook_body_not_json: 'The body isn’t valid JSON.',
    hook_body_not_container: 'The body must be a JSON object or array.',
    hook_starts_not_in_plan: 'Starting flows from your system isn’t included in the {plan} plan.',
    hook_flow_off: 'The flow isn’t published or is switched off.',
    hook_flow_beyond_plan: 'The flow goes over the plan’s limit of {flows} flows.',
    hook_flow_not_listening:
      'The published version of the flow isn’t started by its webhook trigger.',
    hook_channel_not_connected: 'The flow’s WhatsApp number isn’t connected.',
    hook_phone_unreadable: 'No valid phone number at "{path}".',
    hook_templates_not_in_plan: 'The plan doesn’t include automated templates.',
    hook_account_templates:
      'The account’s {max, plain} automated templates for today (UTC) are used up.',
    hook_customer_templates:
      'The customer already got {max} automated templates in the last 24 hours.',
    hook_opted_out: 'The customer has opted out. Don’t message them another way.',
    phone_unreadable:
      'This isn’t a phone number we can read. Include the country code, such as +966501234567.',
  },
  ar: {
    no_such_hook_url: 'رابط التشغيل هذا غير موجود في المشروع.',
    hook_urls_not_in_plan: 'البدء من نظامك غير متاح في {plan, plan}.',
    flow_has_hook_url: 'للمسار رابط تشغيل بالفعل. استبدله إن لزم.',
    hook_urls_used_up: 'الحد الأقصى لروابط التشغيل في المشروع: {max}. احذف واحدًا أولًا.',
    hook_started_before: 'بدأ هذا المفتاح من قبل التنفيذ المذكور هنا.',
    hook_not_taken_in: 'تعذّر استلام الطلب. أرسله مرة أخرى.',
    hook_not_taken_in_now: 'تعذّر استلام الطلب. أرسله مرة أخرى بعد دقيقة بالمفتاح نفسه.',
    hook_too_many_waiting: 'طلبات كثيرة في الانتظار. أعد المحاولة بعد دقيقة.',
    hook_not_counted: 'تعذّر احتساب الطلبات الآن. أعد المحاولة بعد دقيقة.',
    hook_needs_post: 'أرسل الطلب بالطريقة `POST`.',
    hook_not_http: 'الطلب ليس `HTTP/1.1` صالحًا. أرسله بمكتبة `HTTP`.',
    hook_head_too_large:
      'الرابط والترويسات معًا أكبر من {max, after byte}. أرسل ترويسات أقل أو أقصر.',
    hook_too_slow: 'لم يصل الطلب كاملًا خلال {seconds, after second}. أعد إرساله بالمفتاح نفسه.',
    hook_type_not_json: 'أرسل المحتوى بالنوع `application/json` وبدون `Content-Encoding`.',
    hook_body_too_large: 'المحتوى أكبر من {max, after byte}.',
    hook_too_many_bodies: 'تصل طلبات كثيرة في الوقت نفسه. أعد المحاولة بعد دقيقة.',
    hooks_paused: 'استقبال الطلبات متوقف مؤقتًا. أعد المحاولة بعد دقيقة.',
    hook_token_unknown: 'لا يوجد رابط تشغيل بهذا الرمز. انسخ الرابط مرة أخرى من محرّر المسار.',
    hook_account_on_hold: 'يُنقل هذا الحساب إلى خادم آخر. أعد المحاولة بعد دقيقة.',
    hook_account_moved: 'نُقل هذا الحساب إلى خادم آخر. استخدم الرابط الذي يعطيك إياه مشغّله.',
    hook_requests_to_url: 'تجاوزت طلبات هذا الرابط في الدقيقة الحد الأقصى: {max}.',
    hook_requests_to_company: 'تجاوزت طلبات التشغيل في المشروع في الساعة الحد الأقصى: {max}.',
    hook_key_too_long: 'الترويسة `Idempotency-Key` أطول من {max, after character}.',
    hook_body_not_utf8: 'المحتوى ليس بترميز UTF-8.',
    hook_body_not_json: 'المحتوى ليس JSON.',
    hook_body_not_container: 'يجب أن يكون المحتوى كائن JSON أو قائمة.',
    hook_starts_not_in_plan: 'بدء المسارات من نظامك غير متاح في {plan, plan}.',
    hook_flow_off: 'المسار غير منشور أو موقوف.',
    hook_flow_beyond_plan: 'المسار خارج حد الباقة: {flows, flow}.',
    hook_flow_not_listening: 'المسار المنشور لا يبدأ من نظامك.',
    hook_channel_not_connected: 'رقم واتساب في المسار غير مرتبط.',
    hook_phone_unreadable: 'لا يوجد رقم هاتف مقروء في الموضع «{path}».',
    hook_templates_not_in_plan: 'القوالب الآلية غير متاحة في هذه الباقة.',
    hook_account_templates:
      'نفدت حصة الحساب اليومية من القوالب الآلية ({max, template}، بتوقيت UTC).',
    hook_customer_templates: 'بلغ العميل حد القوالب الآلية في آخر 24 ساعة ({max, template}).',
    hook_opted_out: 'أوقف العميل الرسائل. لا تراسله بأي طريقة أخرى.',
    phone_unreadable: 'هذا ليس رقم هاتف مقروءًا. اكتبه مع رمز الدولة، مثل `+966501234567`.',
  },
})
