import { defineWords } from '../../../core/words/define-words.ts'

export const voiceWords = defineWords({
  en: {
    connect: 'Connect phone calls',
    lead: 'Your call provider reports each call, and its transcript shows up in the inbox. Nothing can be sent.',
    given: '1. Call provider',
    needed: '2. Where to send reports',
    try_it: 'Call the number once and hang up. The call appears in the inbox as a conversation.',
    provider: 'Who answers your calls',
    provider_where:
      'Retell, Vapi and Telnyx use their own formats. Any other provider uses ours, signed.',
    signed: 'Other, in our format',
    secret: 'Signing secret',
    secret_where:
      'Retell: the API key with the webhook badge. Telnyx: the public key. Vapi and others: choose a secret of at least 16 characters and enter it there too.',
    apiKey: 'API key (Telnyx only)',
    apiKey_where: 'Used to read transcripts. Find it under Keys & Credentials, API keys.',
    address: 'Report URL',
    paste_retell:
      'In Retell, open the agent’s webhook settings and paste this as the agent-level webhook URL.',
    paste_vapi:
      'In Vapi, paste this as the assistant’s server URL, send the secret in the x-vapi-secret header, and enable the server message end-of-call-report.',
    paste_telnyx:
      'In Telnyx, paste this as the webhook URL of the call control application or of the assistant.',
    paste_signed:
      'Post a signed report of each call here. The channel reference describes the format and includes a sample program.',
  },
  ar: {
    connect: 'ربط المكالمات الهاتفية',
    lead: 'من يرد على مكالماتك يرسل تقريرًا عنها، فيظهر ما قيل فيها في المحادثات. ولا يُرسل شيء عبر هذه القناة.',
    given: '1. مصدر تقارير المكالمات',
    needed: '2. وجهة التقارير',
    try_it: 'اتصل بالرقم مرة ثم أنهِ المكالمة، وستظهر كمحادثة.',
    provider: 'من يرد على المكالمات',
    provider_where: 'تقارير Retell وVapi وTelnyx مدعومة بصيغها. وغيرها بصيغتنا الموقّعة.',
    signed: 'مزوّد آخر، بصيغتنا',
    secret: 'مفتاح توقيع التقارير',
    secret_where:
      'في Retell: مفتاح API الذي عليه شارة webhook. في Telnyx: المفتاح العام. في Vapi وغيرها: مفتاح سري تختاره هنا من 16 حرفًا أو أكثر، وتُدخله هناك.',
    apiKey: 'مفتاح API (لـ Telnyx فقط)',
    apiKey_where: 'يُقرأ به نص المكالمة. تجده في Keys & Credentials ثم API keys.',
    address: 'رابط التقارير',
    paste_retell:
      'في Retell، في إعدادات الوكيل (Agent): Webhook settings ثم Agent level webhook URL.',
    paste_vapi:
      'في Vapi، في إعدادات المساعد: Server URL مع المفتاح السري في ترويسة x-vapi-secret، ورسالة الخادم end-of-call-report.',
    paste_telnyx: 'في Telnyx: رابط webhook لتطبيق Call Control أو للمساعد.',
    paste_signed: 'أرسل تقرير كل مكالمة إلى هنا موقّعًا. في مرجع القنوات شرح الصيغة ومثال برمجي.',
  },
})
