import type { ReplyFacts } from '../../core/facts/replies.ts'
import { defineFacts } from '../define-facts.ts'

export const replyFacts = defineFacts<ReplyFacts>()({
  en: {
    reply_sent: 'The reply was sent.',
    reply_nothing_to_answer: 'There was nothing to answer.',
    reply_flow_has_it: 'The customer is in a flow, so the assistant didn’t reply.',
    reply_staff_has_it: 'Your team is handling this conversation, so the assistant didn’t reply.',
    reply_handed_over: 'The assistant handed the conversation over.',
    reply_customer_stopped: 'The customer has opted out of all messages.',
    reply_assistant_off: 'The assistant is off, or has no model to use.',
    reply_contact_erased: 'The customer was erased.',
    reply_send_unknown:
      'The provider didn’t respond, so we don’t know whether the customer got the reply. It isn’t sent again.',
    reply_conversation_joined:
      'This conversation was merged into another one with the same customer and continues there.',
    reply_restored:
      'A backup was restored, so we don’t know what this reply did after the backup was made. Someone on your team needs to reply.',
  },
  ar: {
    reply_sent: 'أُرسل الرد.',
    reply_nothing_to_answer: 'لا شيء يحتاج إلى رد.',
    reply_flow_has_it: 'بدأ العميل مسارًا، فلم يرد المساعد.',
    reply_staff_has_it: 'المحادثة لدى الفريق، فلم يرد المساعد.',
    reply_handed_over: 'حوّل المساعد المحادثة إلى الفريق.',
    reply_customer_stopped: 'أوقف العميل كل الرسائل.',
    reply_assistant_off: 'المساعد موقوف، أو لا نموذج متاح له.',
    reply_contact_erased: 'مُحيت بيانات العميل.',
    reply_send_unknown: 'لا يُعرف إن وصل الرد، إذ لم يستجب المزوّد. لن يُرسل مرة أخرى.',
    reply_conversation_joined: 'دُمجت هذه المحادثة في محادثة أخرى مع العميل نفسه، وتستمر هناك.',
    reply_restored:
      'استُعيدت نسخة احتياطية، ولا يُعرف ما تم في الرد بعدها. يلزم أن يرد أحد أعضاء الفريق.',
  },
})
