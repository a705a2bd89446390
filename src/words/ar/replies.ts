import type { ReplyFacts } from '../../facts/replies.ts'
import type { Sentences } from '../sentences.ts'

export const AR_REPLIES: Sentences<ReplyFacts> = {
  reply_sent: () => 'أُرسل الرد.',
  reply_nothing_to_answer: () => 'لم يكن هناك ما يُجاب عنه.',
  reply_flow_has_it: () => 'بدأ العميل مسارًا، فلم يقل المساعد شيئًا.',
  reply_staff_has_it: () => 'المحادثة عند الفريق، فلم يقل المساعد شيئًا.',
  reply_handed_over: () => 'حوّل المساعد المحادثة إلى الفريق.',
  reply_customer_stopped: () => 'أوقف العميل كل الرسائل.',
  reply_assistant_off: () => 'المساعد موقوف، أو لا نموذج له يسأله.',
  reply_contact_erased: () => 'مُحيت بيانات العميل.',
  reply_send_unknown: () => 'لا يُعرف هل وصل الرد: لم يُجب المزوّد. لن يُرسل مرة أخرى.',
  reply_conversation_joined: () => 'تبيّن أن المحادثة مع عميل محادثة أخرى، وتستمر هناك.',
  reply_restored: () =>
    'استُعيدت نسخة احتياطية: لا يُعرف ما تم في الرد بعدها. الجواب على أحد من الفريق.',
}
