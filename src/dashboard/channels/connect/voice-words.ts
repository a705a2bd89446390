import { defineWords } from '../../words/define-words.ts'

export const voiceWords = defineWords({
  en: {
    connect: 'Connect phone calls',
    lead: 'Whoever answers your calls reports them, and what was said stands in the inbox. Nothing is sent.',
    given: '1. Who reports the calls',
    needed: '2. Where the reports go',
    try_it: 'Call the number once and hang up: the call is a conversation in the inbox.',
    provider: 'Who answers the calls',
    provider_where: 'Retell, Vapi and Telnyx in their own forms; anybody else in ours, signed.',
    signed: 'Another, in our form',
    secret: 'What the reports are signed with',
    secret_where:
      'Retell: the API key with the webhook badge. Telnyx: the public key. Vapi and others: a secret that you make up here, of 16 characters or more, and enter there.',
    apiKey: 'API key (Telnyx alone)',
    apiKey_where: 'With it the words of a conversation are read. Keys & Credentials, API keys.',
    address: 'Address for reports',
    paste_retell: 'In Retell, at the agent: Webhook settings, Agent level webhook URL.',
    paste_vapi:
      'In Vapi, at the assistant: Server URL, with the secret as its header x-vapi-secret; server message end-of-call-report.',
    paste_telnyx:
      'In Telnyx: the webhook URL of the call control application, or of the assistant.',
    paste_signed:
      'Post the report of each call here, signed. The reference of channels has the form and a program.',
  },
  ar: {
    connect: 'ربط المكالمات الهاتفية',
    lead: 'من يجيب على مكالماتك يبلّغ عنها، فيظهر ما قيل في المحادثات. ولا يُرسل شيء.',
    given: '1. من يبلّغ عن المكالمات',
    needed: '2. إلى أين تصل التقارير',
    try_it: 'اتصل بالرقم مرة وأنهِ المكالمة: تظهر محادثةً في المحادثات.',
    provider: 'من يجيب على المكالمات',
    provider_where: 'تكتب Retell وVapi وTelnyx بصيغها، وغيرها بصيغتنا الموقّعة.',
    signed: 'غيرها، بصيغتنا',
    secret: 'ما تُوقَّع به التقارير',
    secret_where:
      'في Retell: مفتاح الواجهة الذي عليه شارة webhook. في Telnyx: المفتاح العام. في Vapi وغيرها: سرّ تضعه هنا من 16 حرفًا فأكثر، وتُدخله هناك.',
    apiKey: 'مفتاح الواجهة (لـ Telnyx وحدها)',
    apiKey_where: 'به تُقرأ كلمات المحادثة. تجده في Keys & Credentials ثم API keys.',
    address: 'عنوان التقارير',
    paste_retell: 'في Retell عند الوكيل: Webhook settings ثم Agent level webhook URL.',
    paste_vapi:
      'في Vapi عند المساعد: Server URL مع السرّ في ترويسة x-vapi-secret، ورسالة الخادم end-of-call-report.',
    paste_telnyx: 'في Telnyx: عنوان webhook لتطبيق call control أو للمساعد.',
    paste_signed: 'أرسل تقرير كل مكالمة إلى هنا موقّعًا. في مرجع القنوات الصيغة وبرنامج لها.',
  },
})
