import { defineWords } from '../words/define-words.ts'

/** The signing secret and its rotation, and Send test. */
export const secretWords = defineWords({
  en: {
    signing_secret: 'Signing secret',
    one_signs: 'One signs',
    two_sign: 'Two sign now',
    new: 'New',
    old: 'Old',
    current: 'Current',
    made_at: 'Made {time}',
    explain:
      'Every delivery is signed with it. It is never shown again: compare the fingerprint with the one of the secret on your server.',
    old_stops:
      'The old one stops signing {time}, in {left}. Put the new one on your server before that.',
    header_example: 'Until then the header holds two signatures, and one of them fits:',
    header: 'Signature header',
    rotate: 'Rotate secret',
    stop_old: 'Stop the old one now',
    rotate_ask: 'Rotate the secret? Both sign for 24 hours.',
    rotate_text:
      'You get a new secret now. Until the old one stops, each delivery has a signature of each, so your server needs no pause.',
    rotate_again_ask: 'Rotate again? This stops {old} at once.',
    rotate_again_text:
      'Use it when a secret leaked. {old} stops signing at once; {current} signs for 24 hours beside the new one.',
    rotate_act: 'Rotate',
    stop_ask: 'Stop {old} at once?',
    stop_text:
      'Deliveries are signed with the new secret alone. A server that still has the old one refuses them.',
    stop_act: 'Stop the old one',
    stopped: 'The old secret has stopped',
    secret_title: 'Copy the new secret now',
    unreadable: 'cannot be read',

    test_title: 'Send a test to {name}',
    test_type: 'Event type',
    test_text:
      'A sample of this type, with test set to true, signed with the current secret. It is tried once, never counts as a failure, and goes out even while the endpoint is off. {n} tests and resends a minute.',
    test_send: 'Send test',
    test_again: 'Send again',
    test_delivered: 'Your server took it: {status} in {time}.',
    test_failed: 'Your server did not take it.',
    test_waits: 'It is still under way.',
    test_open: 'Open this delivery',
    test_body: 'What was sent',
    test_answer: 'What it answered',
    no_body: 'The answer had no body.',
  },
  ar: {
    signing_secret: 'المفتاح السري للتوقيع',
    one_signs: 'يوقّع مفتاح واحد',
    two_sign: 'يوقّع مفتاحان الآن',
    new: 'الجديد',
    old: 'القديم',
    current: 'الحالي',
    made_at: 'أُنشئ {time}',
    explain: 'يوقَّع به كل تسليم ولا يظهر مرة أخرى. قارن البصمة ببصمة المفتاح على خادمك.',
    old_stops: 'يتوقف القديم عن التوقيع {time}، بعد {left}. ضع الجديد على خادمك قبل ذلك.',
    header_example: 'حتى ذلك الحين في الترويسة توقيعان، وأحدهما يطابق:',
    header: 'ترويسة التوقيع',
    rotate: 'تجديد المفتاح',
    stop_old: 'إيقاف القديم الآن',
    rotate_ask: 'تجديد المفتاح؟ يوقّع المفتاحان 24 ساعة.',
    rotate_text:
      'تحصل على مفتاح جديد الآن. حتى يتوقف القديم يحمل كل تسليم توقيعًا من كل منهما، فلا يتوقف خادمك.',
    rotate_again_ask: 'التجديد مرة أخرى؟ هذا يوقف {old} فورًا.',
    rotate_again_text:
      'استعمله حين يتسرّب مفتاح. يتوقف {old} عن التوقيع فورًا، ويوقّع {current} مع الجديد 24 ساعة.',
    rotate_act: 'تجديد',
    stop_ask: 'إيقاف {old} فورًا؟',
    stop_text: 'يوقَّع كل تسليم بالمفتاح الجديد وحده. الخادم الذي بقي على القديم يرفضها.',
    stop_act: 'إيقاف القديم',
    stopped: 'توقّف المفتاح القديم',
    secret_title: 'انسخ المفتاح الجديد الآن',
    unreadable: 'تتعذّر قراءتها',

    test_title: 'إرسال حدث تجريبي إلى {name}',
    test_type: 'نوع الحدث',
    test_text:
      'نموذج من هذا النوع، فيه test بقيمة true، موقّع بالمفتاح الحالي. يُجرَّب مرة واحدة، ولا يُحسب فشلًا، ويُرسل حتى لو كانت النقطة موقوفة. {n} تجارب وإعادات إرسال في الدقيقة.',
    test_send: 'إرسال حدث تجريبي',
    test_again: 'إرسال مرة أخرى',
    test_delivered: 'قبله خادمك: {status} خلال {time}.',
    test_failed: 'لم يقبله خادمك.',
    test_waits: 'ما زال في الطريق.',
    test_open: 'فتح هذا التسليم',
    test_body: 'ما أُرسل',
    test_answer: 'ما ردّ به',
    no_body: 'لا محتوى في الرد.',
  },
})
