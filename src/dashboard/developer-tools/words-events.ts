import { defineWords } from '../words/define-words.ts'

/** When each event is sent. */
export const eventWords = defineWords({
  en: {
    'message.received': 'A customer’s message was saved to a conversation.',
    'conversation.started': 'A conversation was created.',
    'conversation.handover': 'A conversation was handed to a person.',
    'conversation.assigned': 'A conversation was assigned, reassigned or unassigned.',
    'conversation.resolved': 'A conversation was resolved or closed.',
    'contact.created': 'A contact was created.',
    'contact.updated': 'A contact was changed, or opted back in.',
    'contact.opted_out': 'A contact opted out.',
    'lead.qualified': 'A lead was qualified.',
    'appointment.booked': 'An appointment was booked.',
    'appointment.cancelled': 'An appointment was cancelled.',
    'flow.completed': 'A run completed.',
    'flow.failed': 'A run failed.',
    ping: 'A sample event sent from the dashboard.',
  },
  ar: {
    'message.received': 'وصلت رسالة من عميل وحُفظت في محادثة.',
    'conversation.started': 'أُنشئت محادثة.',
    'conversation.handover': 'حُوّلت محادثة إلى الفريق.',
    'conversation.assigned': 'أُسندت محادثة، أو تغيّر إسنادها، أو أُلغي.',
    'conversation.resolved': 'أُنهيت محادثة.',
    'contact.created': 'أُنشئت جهة اتصال.',
    'contact.updated': 'تغيّرت بيانات جهة اتصال، أو استُؤنفت رسائلها.',
    'contact.opted_out': 'أوقفت جهة اتصال الرسائل.',
    'lead.qualified': 'أصبح عميل محتمل مؤهَّلًا.',
    'appointment.booked': 'حُجز موعد.',
    'appointment.cancelled': 'أُلغي موعد.',
    'flow.completed': 'انتهى تنفيذ.',
    'flow.failed': 'انتهى تنفيذ بالفشل.',
    ping: 'حدث تجريبي يُرسل من لوحة التحكم.',
  },
})
