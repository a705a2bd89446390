import type { OutboundFacts } from '../../core/facts/outbound.ts'
import { written } from '../counted.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const seconds = (number: number): string => `${written(number)} ث`

export const AR_OUTBOUND: Catalog<OutboundFacts> = {
  host_not_public: () => 'لا يمكن استخدام اسم الخادم: يلزم اسم عام فيه نقطة.',
  host_without_address: () => 'لا يوجد عنوان لاسم الخادم. راجع كتابته وسجلات DNS.',
  host_of_too_many_addresses: () => 'عناوين اسم الخادم أكثر بكثير من المقبول. راجع سجلات DNS.',
  host_lookup_slow: (params) =>
    `لم يُعثر على عنوان الخادم خلال ${seconds(params.seconds)}. راجع خوادم DNS.`,
  name_servers_silent: () => 'لم تستجب خوادم DNS لاسم الخادم. تأكد أنها تعمل.',
  address_not_public: () => 'العنوان في الرابط غير عام.',
  host_leads_inside: () => 'يشير اسم الخادم إلى عنوان غير عام. راجع كل سجلات DNS.',
  connection_led_elsewhere: () => 'أدى الاتصال إلى خادم آخر.',
  not_an_https_url: () => 'الرابط ليس لخادم https.',
  port_not_usable: () => 'لا يمكن استخدام هذا المنفذ.',
  request_not_writable: ({ fault }) => `تعذّرت كتابة الطلب: ${inArabic(fault)}.`,
  server_unreachable: () => 'تعذّر الوصول إلى الخادم. تأكد أنه يعمل وأن شبكته مفتوحة.',
  connection_refused: () => 'رفض الخادم الاتصال. راجع المنفذ وتأكد أن الخادم يعمل.',
  connection_unanswered: () => 'لم يستجب الخادم للاتصال. تأكد أنه يعمل.',
  connection_slow: (params) =>
    `لم يتم الاتصال خلال ${seconds(params.seconds)}. تأكد أن الخادم يعمل وأن جدار الحماية يسمح لنا.`,
  tls_closed: () => 'أغلق الخادم الاتصال أثناء مصافحة TLS.',
  tls_failed_by: ({ fault }) =>
    `فشلت مصافحة TLS (${inArabic(fault)}). تأكد أن المنفذ يقدّم HTTPS بإصدار TLS 1.2 أو أحدث.`,
  tls_slow: (params) => `قبل الخادم الاتصال ولم يُكمل مصافحة TLS خلال ${seconds(params.seconds)}.`,
  tls_broke: ({ fault }) => `فشل TLS أثناء الاتصال (${inArabic(fault)}).`,
  certificate_expired: () => 'انتهت صلاحية الشهادة. جدّدها.',
  certificate_not_valid_yet: () => 'لم تبدأ صلاحية الشهادة بعد. راجع ساعة الخادم.',
  certificate_self_signed: () => 'الشهادة موقّعة ذاتيًا. تلزم شهادة من جهة إصدار عامة.',
  certificate_private_authority: () =>
    'الشهادة من جهة إصدار غير عامة. تلزم شهادة من جهة إصدار عامة.',
  certificate_chain_incomplete: () => 'سلسلة الشهادات ناقصة. اضبط السلسلة الكاملة على الخادم.',
  certificate_other_host: () => 'الشهادة لاسم خادم آخر. راجع الرابط والشهادة.',
  interim_answers_without_end: () => 'أرسل الخادم ردودًا مؤقتة بلا نهاية بدل رده.',
  headers_too_long: () => 'ترويسات الرد طويلة جدًا.',
  protocol_changed: () => 'ردّ الخادم بتغيير البروتوكول، ولم نطلب ذلك.',
  answer_not_http: () => 'ما أرسله الخادم ليس ردًا صحيحًا بصيغة HTTP.',
  no_answer: (params) => `لم يصل رد خلال ${seconds(params.seconds)}. ردّ أولًا، ثم نفّذ العمل.`,
  answer_not_ended: (params) => `لم يكتمل الرد خلال ${seconds(params.seconds)}.`,
  closed_before_answer: () => 'أغلق الخادم الاتصال قبل أن يرد. راجع سجل أخطائه.',
  connection_gone: () => 'انقطع الاتصال.',
  call_could_not_be_made: () => 'تعذّر إرسال الطلب.',
  server_busy: () => 'طلبات كثيرة إلى هذا الخادم جارية في الوقت نفسه.',
  service_stopping: () => 'الخدمة قيد الإيقاف. لم يُرسل الطلب.',
  signing_secret_unreadable: () => 'تعذّرت قراءة المفتاح السري للتوقيع.',
  body_gone: () => 'لم يعد محتوى الحدث محفوظًا.',
  redirects_to: ({ origin }) => `يشير إلى ${inArabic(origin)}.`,
  redirects_within: () => 'يشير إلى مسار رابط آخر على الخادم نفسه.',
}
