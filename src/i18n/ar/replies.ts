import type { ReplyFacts } from '../../core/facts/replies.ts'
import type { Catalog } from '../catalog.ts'

export const AR_REPLIES: Catalog<ReplyFacts> = {
  reply_sent: () => 'أُرسل الرد.',
  reply_nothing_to_answer: () => 'لا شيء يحتاج إلى رد.',
  reply_flow_has_it: () => 'بدأ العميل مسارًا، فلم يرد المساعد.',
  reply_staff_has_it: () => 'المحادثة لدى الفريق، فلم يرد المساعد.',
  reply_handed_over: () => 'حوّل المساعد المحادثة إلى الفريق.',
  reply_customer_stopped: () => 'أوقف العميل كل الرسائل.',
  reply_assistant_off: () => 'المساعد موقوف، أو لا نموذج متاح له.',
  reply_contact_erased: () => 'مُحيت بيانات العميل.',
  reply_send_unknown: () => 'لا يُعرف إن وصل الرد، إذ لم يستجب المزوّد. لن يُرسل مرة أخرى.',
  reply_conversation_joined: () => 'دُمجت هذه المحادثة في محادثة أخرى مع العميل نفسه، وتستمر هناك.',
  reply_restored: () =>
    'استُعيدت نسخة احتياطية، ولا يُعرف ما تم في الرد بعدها. يلزم أن يرد أحد أعضاء الفريق.',
}
