import type { EventType } from '../../core/vocabulary/events.ts'
import { defineWords } from '../../core/words/define-words.ts'

/** The groups of event types, each in the order of a customer's journey. */
export const TYPE_GROUPS = [
  {
    word: 'group_conversations',
    types: [
      'message.received',
      'conversation.started',
      'conversation.handover',
      'conversation.assigned',
      'conversation.resolved',
    ],
  },
  {
    word: 'group_contacts',
    types: ['contact.created', 'contact.updated', 'contact.opted_out'],
  },
  {
    word: 'group_business',
    types: ['lead.qualified', 'appointment.booked', 'appointment.cancelled'],
  },
  { word: 'group_flows', types: ['flow.completed', 'flow.failed'] },
  { word: 'group_tests', types: ['ping'] },
] as const satisfies readonly { word: string; types: readonly EventType[] }[]

/** Sentences on when each event occurs, and when it does not. */
export const typeWords = defineWords({
  en: {
    group_conversations: 'Conversations and messages',
    group_contacts: 'Contacts',
    group_business: 'Leads and appointments',
    group_flows: 'Flows',
    group_tests: 'Tests',
    'message.received':
      'A customer’s message is saved, on any channel. Not sent for messages from your business.',
    'conversation.started':
      'A customer writes on a channel for the first time. Not sent when they write again.',
    'conversation.handover':
      'The assistant or a flow hands a conversation to a person. Not sent again while that handover is open.',
    'conversation.assigned': 'Your team assigns, reassigns or unassigns a conversation.',
    'conversation.resolved':
      'Your team resolves or closes a conversation. Not sent if it was already resolved.',
    'contact.created': 'A contact is created, by any means.',
    'contact.updated': 'A field included in the event changes. Not sent in addition to an opt-out.',
    'contact.opted_out': 'A contact opts out. Not sent if they had already opted out.',
    'lead.qualified': 'A lead becomes qualified. Not sent for other changes.',
    'appointment.booked':
      'An appointment is booked by the assistant, by a flow, or by the customer on the booking page. Not sent when your team books it.',
    'appointment.cancelled': 'An appointment is cancelled by anyone.',
    'flow.completed': 'A run completes. Not sent for skipped or cancelled runs.',
    'flow.failed': 'A run fails. Not sent for skipped or cancelled runs.',
    ping: 'Sent only when a member sends a test, to check that your endpoint is reachable. It needs no subscription.',
  },
  ar: {
    group_conversations: 'المحادثات والرسائل',
    group_contacts: 'جهات الاتصال',
    group_business: 'العملاء المحتملون والمواعيد',
    group_flows: 'المسارات',
    group_tests: 'الأحداث التجريبية',
    'message.received': 'عند حفظ رسالة من عميل على أي قناة. لا يشمل ما يرسله المتجر.',
    'conversation.started': 'عندما يكتب العميل أول مرة على قناة. لا يتكرر عند كتابته مرة أخرى.',
    'conversation.handover':
      'عندما يحوّل المساعد أو مسارٌ المحادثة إلى الفريق. لا يتكرر ما دام التحويل قائمًا.',
    'conversation.assigned': 'عندما يُسند الفريق المحادثة أو يغيّر إسنادها أو يلغيه.',
    'conversation.resolved': 'عندما يُنهي الفريق المحادثة. لا يشمل محادثة منتهية بالفعل.',
    'contact.created': 'عند إضافة جهة اتصال بأي طريقة.',
    'contact.updated': 'عند تغيّر أحد الحقول المُرسلة. لا يُرسل مع إيقاف الرسائل.',
    'contact.opted_out': 'عندما يوقف العميل كل الرسائل. لا يتكرر إن كانت موقوفة بالفعل.',
    'lead.qualified': 'عندما يصبح العميل المحتمل مؤهَّلًا. لا يشمل تغييراته الأخرى.',
    'appointment.booked':
      'عندما يحجز المساعد أو مسارٌ، أو العميل من صفحة الحجز. لا يشمل ما يضيفه الفريق.',
    'appointment.cancelled': 'عند إلغاء موعد، أيًّا كان من ألغاه.',
    'flow.completed': 'عندما يكتمل تنفيذ. لا يشمل ما تُخطّي أو أُلغي.',
    'flow.failed': 'عندما يفشل تنفيذ. لا يشمل ما تُخطّي أو أُلغي.',
    ping: 'عند إرسال حدث تجريبي فقط، ويثبت أن الطريق إلى خادمك مفتوح. لا يلزم الاشتراك فيه.',
  },
})
