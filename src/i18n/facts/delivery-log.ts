import type { DeliveryLogFacts } from '../../core/facts/delivery-log.ts'
import { defineFacts } from '../define-facts.ts'

/** The next step for a delivery that did not succeed. */
const WHAT_NOW = {
  en: {
    send_another_test: 'Fix the problem shown in the attempt, then send another test.',
    endpoint_deleted: 'Its endpoint was deleted.',
    back_to_plan: 'Return to the Business plan to resend it.',
    resend: 'Fix the problem shown in the attempts, then resend it.',
    switch_on: 'Fix the problem shown in the attempts, switch the endpoint on, then resend it.',
    resend_untried: 'You can resend it.',
    switch_on_untried: 'Switch the endpoint on, then resend it.',
    resend_delivered: 'It was resent later, and the resend was delivered.',
    resend_waits: 'It was resent later, and the resend isn’t delivered yet.',
  },
  ar: {
    send_another_test: 'صحّح ما تشير إليه المحاولة، ثم أرسل حدثًا تجريبيًا آخر.',
    endpoint_deleted: 'نقطة الاستقبال محذوفة.',
    back_to_plan: 'يمكن إعادة إرساله بعد العودة إلى باقة الأعمال.',
    resend: 'صحّح ما تشير إليه المحاولات، ثم أعد الإرسال.',
    switch_on: 'صحّح ما تشير إليه المحاولات، وفعّل نقطة الاستقبال، ثم أعد الإرسال.',
    resend_untried: 'يمكن إعادة إرساله.',
    switch_on_untried: 'فعّل نقطة الاستقبال، ثم أعد إرساله.',
    resend_delivered: 'أُعيد إرساله بعد ذلك، وتم التسليم.',
    resend_waits: 'أُعيد إرساله بعد ذلك، ولم يتم التسليم بعد.',
  },
} as const

export const deliveryLogFacts = defineFacts<DeliveryLogFacts>()({
  en: {
    no_such_delivery: 'No delivery with this ID.',
    test_not_resent: 'Tests can’t be resent. Send another test instead.',
    event_too_old: 'The event is older than {days} days, so its body is no longer stored.',
    tests_and_resends_a_minute:
      'You can send {max} tests and resends a minute. Try again at {freeAt, utc}.',
    log_watchers: 'At most {max} pages per account can show live updates at once. Close one first.',
    session_watchers:
      'A session can have at most {max} live streams open at the same time. Close one first.',
    server_watchers:
      'At most {max} pages can show live updates from this server at the same time. Try again later.',
    no_such_job: 'No job with this ID.',
    job_over: 'The job has already ended: it’s {state}.',
    job_under_way:
      'The endpoint already has a job in progress. Wait for it to finish, or cancel it first.',
    delivery_waits: 'Waiting for its first attempt.',
    delivery_waits_again: 'Attempt {attempts} failed. Next retry at {dueAt, utc}.',
    delivery_delivered: 'Delivered.',
    delivery_dead: {
      text: '{why} {now}',
      forms: {
        why: {
          test: 'The test failed. Tests aren’t retried.',
          gone: 'The endpoint returned 410 Gone, so it isn’t retried.',
          all_failed: 'All attempts failed ({attempts}).',
        },
        now: WHAT_NOW.en,
      },
    },
    delivery_held: {
      text: '{why}{attempts} It expires {days} days after it was created.',
      forms: {
        why: {
          plan: 'Held because the plan doesn’t include webhooks. Return to the Business plan, then send it.',
          off: 'Held because the endpoint is off. Switch it on, then send the held deliveries.',
          was_off:
            'Held while the endpoint was off or the plan didn’t include webhooks. Send the held deliveries.',
        },
        attempts: {
          0: '',
          other:
            ' It was tried {attempts, time} before, so your server may already have it. The event ID is the same.',
        },
      },
    },
    delivery_superseded:
      'A resend of this event was delivered in the meantime, so nothing more is sent.',
    delivery_cancelled: 'The endpoint was deleted before this was delivered.',
    delivery_expired: {
      text: 'It wasn’t delivered within {days, day}. {now}',
      forms: {
        now: WHAT_NOW.en,
      },
    },
    attempt_dns_failed: 'The DNS lookup of the host name failed.',
    attempt_address_refused:
      'The host name resolves to an address that isn’t public, so nothing was sent.',
    attempt_url_refused: 'This endpoint URL isn’t allowed.',
    attempt_connect_refused: 'Your server refused the connection.',
    attempt_connect_timeout: 'No connection within {seconds, second}.',
    attempt_tls_failed: 'A secure connection couldn’t be established.',
    attempt_connection_reset: 'The connection was closed before your server responded.',
    attempt_timeout: 'No response within {seconds, second}.',
    attempt_bad_response: 'Your server didn’t send a valid HTTP response.',
    attempt_redirect_refused: 'Your server returned a redirect. Redirects aren’t followed.',
    attempt_gone:
      'Your server returned 410 Gone. Unless it was a test, this switches the endpoint off immediately.',
    attempt_unreadable: 'We couldn’t prepare the event, so nothing was sent.',
    attempt_http_error:
      'Your server returned {status}. Only a status from 200 to 299 counts as success.',
    hint_dns_failed:
      'Check the host name in the endpoint URL and its DNS records. We retry automatically.',
    hint_address_refused:
      'Point the host name to a public address. Private, loopback and reserved addresses are never called.',
    hint_url_refused:
      'Edit the endpoint: use an https URL without a username, on a port meant for web servers.',
    hint_connect_refused:
      'Check that your server is running, listens on this port, and isn’t blocking us with a firewall.',
    hint_connect_timeout:
      'Check that your server is up and that no firewall silently drops connections.',
    hint_tls_failed:
      'Check the certificate: it must be valid for this host, not expired, include the full chain, and come from a public authority.',
    hint_connection_reset:
      'Check your server’s error log at this time. A proxy or a crash is a common cause.',
    hint_timeout:
      'Return 200 first and do the work afterwards. You may have received this event, so remember its ID.',
    hint_bad_response:
      'Check that this port serves HTTPS, and what sits between us and your application.',
    hint_redirect_refused:
      'Use the final address as the endpoint URL. Look for http, a missing www or a trailing slash.',
    hint_gone:
      'Return 410 only if you want no more events. Switch the endpoint on again, then send the held deliveries.',
    hint_unreadable: 'Tell the operator of this service: a stored secret or body can’t be read.',
    hint_http_400:
      'Your application rejected the request as malformed. Verify the raw body bytes before parsing them.',
    hint_http_401:
      'Check that you verify the signature on the raw body with the whole secret, including whsec_, and that this URL needs no login.',
    hint_http_403:
      'Check firewalls and bot protection, and that you verify the signature on the raw body.',
    hint_http_404: 'Check the path of the endpoint URL.',
    hint_http_405: 'Make sure the endpoint URL accepts POST.',
    hint_http_413: 'Make sure your server accepts bodies of up to {kilobytes, plain} KB.',
    hint_http_415: 'Make sure your server accepts application/json; charset=utf-8.',
    hint_http_429:
      'Your server is rate limiting us. Allow more requests, or respond first and do the work later.',
    hint_http_5xx:
      'Your server failed. Check its error log at this time; the response below may tell you more.',
    hint_http_other:
      'Return a status from 200 to 299 once you’ve stored the event. The response below may tell you more.',
    job_by_member: 'A team member stopped it.',
    job_endpoint_off: 'The endpoint is off. Switch it on, then resume the job.',
    job_endpoint_deleted: 'The endpoint was deleted.',
    job_not_in_plan:
      'The plan doesn’t include webhooks. Return to the Business plan, then resume the job.',
  },
  ar: {
    no_such_delivery: 'هذا التسليم غير موجود في المشروع.',
    test_not_resent: 'لا يُعاد إرسال الحدث التجريبي. أرسل حدثًا تجريبيًا آخر.',
    event_too_old: 'مضى على الحدث أكثر من {days, after day}، ولم يعد محتواه محفوظًا.',
    tests_and_resends_a_minute:
      'الحد الأقصى للأحداث التجريبية وإعادات الإرسال في الدقيقة للحساب: {max}. أعد المحاولة من {freeAt, utc}.',
    log_watchers: 'الحد الأقصى للصفحات المفتوحة على السجل في الحساب معًا: {max}. أغلق واحدة أولًا.',
    session_watchers:
      'الحد الأقصى للاتصالات المباشرة المفتوحة في الجلسة الواحدة: {max}. أغلق واحدًا أولًا.',
    server_watchers:
      'الحد الأقصى للاتصالات المباشرة المفتوحة على هذا الخادم معًا: {max}. أعد المحاولة لاحقًا.',
    no_such_job: 'مهمة إعادة الإرسال هذه غير موجودة في المشروع.',
    job_over: {
      text: 'انتهت المهمة: {state}.',
      forms: {
        state: { running: 'جارية', paused: 'متوقفة مؤقتًا', done: 'مكتملة', cancelled: 'ملغاة' },
      },
    },
    job_under_way: 'لنقطة الاستقبال مهمة لم تنتهِ. انتظرها، أو ألغها أولًا.',
    delivery_waits: 'بانتظار المحاولة الأولى.',
    delivery_waits_again: 'فشلت المحاولة {attempts}. المحاولة التالية في {dueAt, utc}.',
    delivery_delivered: 'استلمته نقطة الاستقبال.',
    delivery_dead: {
      text: '{why} {now}',
      forms: {
        why: {
          test: 'فشل الحدث التجريبي. لا تُعاد محاولة الأحداث التجريبية.',
          gone: 'ردّت نقطة الاستقبال بالرمز 410، فلا محاولة بعدها.',
          all_failed: 'فشلت كل المحاولات ({attempts}).',
        },
        now: WHAT_NOW.ar,
      },
    },
    delivery_held: {
      text: '{why}{attempts} تنتهي صلاحيته بعد {days, after day} من إنشائه.',
      forms: {
        why: {
          plan: 'معلّق: نقاط الاستقبال غير متاحة في هذه الباقة. ارجع إلى باقة الأعمال ثم أرسله.',
          off: 'معلّق: نقطة الاستقبال موقوفة. فعّلها ثم أرسل المعلّق.',
          was_off: 'عُلّق عندما كانت نقطة الاستقبال موقوفة أو غير متاحة في الباقة. أرسل المعلّق.',
        },
        attempts: {
          0: '',
          other: ' سبقت تجربته {attempts, after time}، وقد يكون وصل إلى خادمك. معرّف الحدث هو نفسه.',
        },
      },
    },
    delivery_superseded: 'تم تسليم هذا الحدث بإعادة إرسال، فلا يُرسل مرة أخرى.',
    delivery_cancelled: 'حُذفت نقطة الاستقبال قبل إرساله.',
    delivery_expired: {
      text: 'انتهت صلاحيته بعد {days, after day} دون تسليم. {now}',
      forms: {
        now: WHAT_NOW.ar,
      },
    },
    attempt_dns_failed: 'تعذّر العثور على عنوان الخادم.',
    attempt_address_refused: 'يشير اسم الخادم إلى عنوان غير عام، فلم يُرسل شيء.',
    attempt_url_refused: 'رابط نقطة الاستقبال غير مقبول.',
    attempt_connect_refused: 'لم يقبل الخادم الاتصال.',
    attempt_connect_timeout: 'لم يتم الاتصال خلال {seconds, after second}.',
    attempt_tls_failed: 'تعذّر إنشاء الاتصال الآمن.',
    attempt_connection_reset: 'أُغلق الاتصال قبل وصول رد.',
    attempt_timeout: 'لم يصل رد خلال {seconds, after second}.',
    attempt_bad_response: 'ما أرسله الخادم ليس ردًا بصيغة HTTP.',
    attempt_redirect_refused: 'كان الرد إعادة توجيه إلى رابط آخر، ولا نتبعها.',
    attempt_gone: 'كان الرد 410، وهو يوقف نقطة الاستقبال فورًا، إلا في حدث تجريبي.',
    attempt_unreadable: 'تعذّر تجهيز الحدث لدينا، فلم يُرسل شيء.',
    attempt_http_error: 'كان رد الخادم {status}. الرد الناجح من 200 إلى 299 فقط.',
    hint_dns_failed: 'راجع اسم الخادم في رابط نقطة الاستقبال وسجلات DNS. تُعاد المحاولة تلقائيًا.',
    hint_address_refused:
      'وجّه اسم الخادم إلى عنوان عام. لا نصل إلى العناوين الخاصة والمحلية والمحجوزة.',
    hint_url_refused: 'عدّل رابط نقطة الاستقبال: https بلا اسم مستخدم، وعلى منفذ مناسب لخادم ويب.',
    hint_connect_refused:
      'تأكد أن الخادم يعمل، وأنه يستمع على هذا المنفذ، وأن جدار الحماية لا يرفض طلباتنا.',
    hint_connect_timeout: 'تأكد أن الخادم يعمل، وأن جدار الحماية لا يتجاهل الاتصالات.',
    hint_tls_failed: 'راجع الشهادة: سارية، ولهذا الاسم، بسلسلتها الكاملة، ومن جهة إصدار عامة.',
    hint_connection_reset:
      'راجع سجل أخطاء الخادم في هذا الوقت. كثيرًا ما يكون السبب خادمًا وسيطًا أو توقفًا مفاجئًا.',
    hint_timeout: 'ردّ بالرمز 200 أولًا، ثم نفّذ العمل. ربما استلم خادمك هذا الحدث: احفظ معرّفه.',
    hint_bad_response: 'تأكد أن هذا المنفذ يقدّم HTTPS، وراجع ما بين خدمتنا وبرنامجك.',
    hint_redirect_refused:
      'ضع الرابط النهائي في نقطة الاستقبال. تحقق من `http` أو `www` ناقصة أو `/` في آخره.',
    hint_gone: 'لا ترد بالرمز 410 إلا لإيقاف الاستقبال نهائيًا. فعّل نقطة الاستقبال ثم أرسل المعلّق.',
    hint_unreadable: 'أبلغ مشغّل الخدمة: تعذّرت قراءة مفتاح سري أو محتوى محفوظ.',
    hint_http_400: 'يرى برنامجك أن الطلب غير صحيح. تحقق من بايتات المحتوى كما وصلت، قبل أي تحليل.',
    hint_http_401:
      'تأكد أن التحقق من التوقيع بالمفتاح كاملًا، ومعه `whsec_`، وعلى المحتوى كما وصل، وأن الرابط لا يطلب تسجيل دخول.',
    hint_http_403:
      'راجع جدار الحماية والحماية من الروبوتات، وتأكد أن التحقق من التوقيع على المحتوى كما وصل.',
    hint_http_404: 'راجع مسار الرابط في نقطة الاستقبال.',
    hint_http_405: 'اجعل الرابط يقبل `POST`.',
    hint_http_413: 'اجعل الخادم يقبل محتوى حتى {kilobytes} ك.ب.',
    hint_http_415: 'اجعل الخادم يقبل `application/json; charset=utf-8`.',
    hint_http_429: 'يحدّ خادمك من طلباتنا. ارفع الحد، أو ردّ أولًا ونفّذ العمل لاحقًا.',
    hint_http_5xx: 'حدث خطأ في الخادم. راجع سجل أخطائه في هذا الوقت، وقد يوضح الرد أدناه المزيد.',
    hint_http_other: 'ردّ برمز من 200 إلى 299 بعد حفظ الحدث. قد يوضح الرد أدناه المزيد.',
    job_by_member: 'أوقفها أحد الأعضاء.',
    job_endpoint_off: 'نقطة الاستقبال موقوفة. فعّلها ثم استأنف المهمة.',
    job_endpoint_deleted: 'حُذفت نقطة الاستقبال.',
    job_not_in_plan:
      'نقاط الاستقبال غير متاحة في هذه الباقة. ارجع إلى باقة الأعمال ثم استأنف المهمة.',
  },
})
