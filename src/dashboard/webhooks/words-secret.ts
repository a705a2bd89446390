import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the signing secret, its rotation, and test events. */
export const secretWords = defineWords({
  en: {
    signing_secret: 'Signing secret',
    one_signs: '1 active secret',
    two_sign: '2 active secrets',
    new: 'New',
    old: 'Old',
    current: 'Current',
    made_at: 'Created {time}',
    explain:
      'Every delivery is signed with this secret. It’s never shown again; compare the fingerprint with the one on your server.',
    old_stops:
      'The old secret stops signing {time}, in {left}. Add the new one to your server before then.',
    header_example:
      'Until then, the header carries two signatures. Accept the request if either one matches:',
    header: 'Signature header',
    rotate: 'Rotate secret',
    stop_old: 'Retire old secret now',
    rotate_ask: 'Rotate the signing secret?',
    rotate_text:
      'You get a new secret now. Both secrets sign every delivery for 24 hours, so your server can switch over without downtime.',
    rotate_again_ask: 'Rotate again? {old} stops signing immediately.',
    rotate_again_text:
      'Do this if a secret has leaked. {old} stops signing immediately; {current} keeps signing alongside the new one for 24 hours.',
    rotate_act: 'Rotate secret',
    stop_ask: 'Retire {old} now?',
    stop_text:
      'Deliveries are signed with the new secret only. A server that still uses the old one will reject them.',
    stop_act: 'Retire old secret',
    stopped: 'Old secret retired',
    secret_title: 'Copy the new secret now',
    unreadable: 'unreadable',

    test_title: 'Send a test event to {name}',
    test_type: 'Event type',
    test_text:
      'Sends a sample of this type with test set to true, signed with the current secret. Tests are tried once, never count as failures, and go out even if the endpoint is off. You can send {n} tests and resends a minute.',
    test_send: 'Send test',
    test_again: 'Send another',
    test_delivered: 'Delivered: {status} in {time}.',
    test_failed: 'Delivery failed.',
    test_waits: 'Still in progress.',
    test_open: 'View delivery',
    test_body: 'Request',
    test_answer: 'Response',
    no_body: 'The response has no body.',
  },
  ar: {
    signing_secret: 'المفتاح السري للتوقيع',
    one_signs: 'مفتاح واحد للتوقيع',
    two_sign: 'مفتاحان للتوقيع الآن',
    new: 'الجديد',
    old: 'القديم',
    current: 'الحالي',
    made_at: 'أُنشئ {time}',
    explain: 'يُوقَّع به كل تسليم ولا يظهر مرة أخرى. قارن بصمته ببصمة المفتاح على خادمك.',
    old_stops:
      'يتوقف المفتاح القديم عن التوقيع {time}، بعد {left}. ضع المفتاح الجديد على خادمك قبل ذلك.',
    header_example: 'حتى ذلك الحين تحمل الترويسة توقيعين، ويكفي أن يطابق أحدهما:',
    header: 'ترويسة التوقيع',
    rotate: 'تجديد المفتاح',
    stop_old: 'إيقاف القديم الآن',
    rotate_ask: 'تجديد المفتاح السري؟ يوقّع المفتاحان معًا 24 ساعة.',
    rotate_text:
      'يُنشأ مفتاح جديد الآن. وحتى يتوقف القديم يحمل كل تسليم توقيعًا بكل من المفتاحين، فلا تنقطع الخدمة لديك.',
    rotate_again_ask: 'تجديد المفتاح مرة أخرى؟ يتوقف {old} فورًا.',
    rotate_again_text:
      'استخدم هذا عند تسرّب المفتاح. يتوقف {old} عن التوقيع فورًا، ويوقّع {current} مع المفتاح الجديد 24 ساعة.',
    rotate_act: 'تجديد',
    stop_ask: 'إيقاف {old} فورًا؟',
    stop_text:
      'يُوقَّع كل تسليم بالمفتاح الجديد وحده. أي خادم ما زال على المفتاح القديم سيرفض التسليمات.',
    stop_act: 'إيقاف القديم',
    stopped: 'توقّف المفتاح القديم',
    secret_title: 'انسخ المفتاح الجديد الآن',
    unreadable: 'تتعذّر قراءتها',

    test_title: 'إرسال حدث تجريبي إلى {name}',
    test_type: 'نوع الحدث',
    test_text:
      'مثال من هذا النوع، فيه test بقيمة true، موقّع بالمفتاح الحالي. يُرسل مرة واحدة، ولا يُحتسب فشلًا، ويُرسل حتى لو كانت نقطة الاستقبال موقوفة. الحد الأقصى للأحداث التجريبية وإعادات الإرسال في الدقيقة: {n}.',
    test_send: 'إرسال حدث تجريبي',
    test_again: 'إعادة الإرسال',
    test_delivered: 'استلمه خادمك: {status} خلال {time}.',
    test_failed: 'لم يستلمه خادمك.',
    test_waits: 'ما زال قيد التسليم.',
    test_open: 'فتح هذا التسليم',
    test_body: 'ما أُرسل',
    test_answer: 'رد الخادم',
    no_body: 'لا محتوى في الرد.',
  },
})
