import type { OutboundFacts } from '../../core/facts/outbound.ts'
import { defineFacts } from '../define-facts.ts'

export const outboundFacts = defineFacts<OutboundFacts>()({
  en: {
    host_not_public: 'This host name can’t be used. It needs a dot and must be public.',
    host_without_address:
      'The host name doesn’t resolve to an address. Check its spelling and DNS records.',
    host_of_too_many_addresses:
      'The host name resolves to too many addresses. Check its DNS records.',
    host_lookup_slow: 'The host name didn’t resolve within {seconds} s. Check its DNS servers.',
    name_servers_silent: 'The host name’s DNS servers didn’t respond. Check that they’re up.',
    address_not_public: 'The address in the URL isn’t public.',
    host_leads_inside:
      'The host name resolves to an address that isn’t public. Check all its DNS records.',
    connection_led_elsewhere: 'The connection went to an unexpected address.',
    not_an_https_url: 'The URL isn’t an https URL.',
    port_not_usable: 'This port isn’t allowed.',
    request_not_writable: 'The request couldn’t be built: {fault}.',
    server_unreachable:
      'The server can’t be reached. Check that it’s up and accepts connections from the internet.',
    connection_refused:
      'The server refused the connection. Check the port and that the server is running.',
    connection_unanswered: 'The server didn’t respond to the connection. Check that it’s up.',
    connection_slow:
      'No connection within {seconds} s. Check that the server is up and its firewall allows us.',
    tls_closed: 'The server closed the connection during the TLS handshake.',
    tls_failed_by:
      'The TLS handshake failed ({fault}). Check that the port speaks HTTPS with TLS 1.2 or newer.',
    tls_slow:
      'The server accepted the connection but did not finish the TLS handshake within {seconds} s.',
    tls_broke: 'TLS failed during the connection ({fault}).',
    certificate_expired: 'The certificate has expired. Renew it.',
    certificate_not_valid_yet: 'The certificate isn’t valid yet. Check the server’s clock.',
    certificate_self_signed: 'The certificate is self-signed. Use one from a public authority.',
    certificate_private_authority:
      'The certificate comes from a private authority. Use one from a public authority.',
    certificate_chain_incomplete:
      'The certificate chain is incomplete. Configure the full chain on the server.',
    certificate_other_host:
      'The certificate is for a different host name. Check the URL and the certificate.',
    interim_answers_without_end:
      'The server kept sending interim (1xx) responses instead of a final one.',
    headers_too_long: 'The response headers are too long.',
    protocol_changed: 'The server switched protocols, which we didn’t ask for.',
    answer_not_http: 'The server didn’t send a valid HTTP response.',
    no_answer: 'No response within {seconds} s. Respond first and do the work afterwards.',
    answer_not_ended: 'The response wasn’t complete after {seconds} s.',
    closed_before_answer:
      'The server closed the connection before responding. Check its error log.',
    connection_gone: 'The connection was lost.',
    call_could_not_be_made: 'The call couldn’t be made.',
    server_busy: 'Too many calls to this server were in progress at once.',
    service_stopping: 'The service is stopping, so the call wasn’t made.',
    signing_secret_unreadable: 'The signing secret couldn’t be read.',
    body_gone: 'The event’s body is no longer stored.',
    redirects_to: 'It redirects to {origin}.',
    redirects_within: 'It redirects to another path on the same server.',
  },
  ar: {
    host_not_public: 'لا يمكن استخدام اسم الخادم: يلزم اسم عام فيه نقطة.',
    host_without_address: 'لا يوجد عنوان لاسم الخادم. راجع كتابته وسجلات DNS.',
    host_of_too_many_addresses: 'عناوين اسم الخادم أكثر بكثير من المقبول. راجع سجلات DNS.',
    host_lookup_slow: 'لم يُعثر على عنوان الخادم خلال {seconds, short_second}. راجع خوادم DNS.',
    name_servers_silent: 'لم تستجب خوادم DNS لاسم الخادم. تأكد أنها تعمل.',
    address_not_public: 'العنوان في الرابط غير عام.',
    host_leads_inside: 'يشير اسم الخادم إلى عنوان غير عام. راجع كل سجلات DNS.',
    connection_led_elsewhere: 'أدى الاتصال إلى خادم آخر.',
    not_an_https_url: 'الرابط ليس لخادم https.',
    port_not_usable: 'لا يمكن استخدام هذا المنفذ.',
    request_not_writable: 'تعذّرت كتابة الطلب: {fault}.',
    server_unreachable: 'تعذّر الوصول إلى الخادم. تأكد أنه يعمل وأن شبكته مفتوحة.',
    connection_refused: 'رفض الخادم الاتصال. راجع المنفذ وتأكد أن الخادم يعمل.',
    connection_unanswered: 'لم يستجب الخادم للاتصال. تأكد أنه يعمل.',
    connection_slow:
      'لم يتم الاتصال خلال {seconds, short_second}. تأكد أن الخادم يعمل وأن جدار الحماية يسمح لنا.',
    tls_closed: 'أغلق الخادم الاتصال أثناء مصافحة TLS.',
    tls_failed_by: 'فشلت مصافحة TLS ({fault}). تأكد أن المنفذ يقدّم HTTPS بإصدار TLS 1.2 أو أحدث.',
    tls_slow: 'قبل الخادم الاتصال ولم يُكمل مصافحة TLS خلال {seconds, short_second}.',
    tls_broke: 'فشل TLS أثناء الاتصال ({fault}).',
    certificate_expired: 'انتهت صلاحية الشهادة. جدّدها.',
    certificate_not_valid_yet: 'لم تبدأ صلاحية الشهادة بعد. راجع ساعة الخادم.',
    certificate_self_signed: 'الشهادة موقّعة ذاتيًا. تلزم شهادة من جهة إصدار عامة.',
    certificate_private_authority: 'الشهادة من جهة إصدار غير عامة. تلزم شهادة من جهة إصدار عامة.',
    certificate_chain_incomplete: 'سلسلة الشهادات ناقصة. اضبط السلسلة الكاملة على الخادم.',
    certificate_other_host: 'الشهادة لاسم خادم آخر. راجع الرابط والشهادة.',
    interim_answers_without_end: 'أرسل الخادم ردودًا مؤقتة بلا نهاية بدل رده.',
    headers_too_long: 'ترويسات الرد طويلة جدًا.',
    protocol_changed: 'ردّ الخادم بتغيير البروتوكول، ولم نطلب ذلك.',
    answer_not_http: 'ما أرسله الخادم ليس ردًا صحيحًا بصيغة HTTP.',
    no_answer: 'لم يصل رد خلال {seconds, short_second}. ردّ أولًا، ثم نفّذ العمل.',
    answer_not_ended: 'لم يكتمل الرد خلال {seconds, short_second}.',
    closed_before_answer: 'أغلق الخادم الاتصال قبل أن يرد. راجع سجل أخطائه.',
    connection_gone: 'انقطع الاتصال.',
    call_could_not_be_made: 'تعذّر إرسال الطلب.',
    server_busy: 'طلبات كثيرة إلى هذا الخادم جارية في الوقت نفسه.',
    service_stopping: 'الخدمة قيد الإيقاف. لم يُرسل الطلب.',
    signing_secret_unreadable: 'تعذّرت قراءة المفتاح السري للتوقيع.',
    body_gone: 'لم يعد محتوى الحدث محفوظًا.',
    redirects_to: 'يشير إلى {origin}.',
    redirects_within: 'يشير إلى مسار رابط آخر على الخادم نفسه.',
  },
})
