import type { EventType } from '../../vocabulary/events.ts'
import { defineWords } from '../words/define-words.ts'

/** The groups in which event types are chosen, each with its types in the order of a customer's way. */
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

/** When each event fires, and when it does not. */
export const typeWords = defineWords({
  en: {
    group_conversations: 'Conversations and messages',
    group_contacts: 'Contacts',
    group_business: 'Leads and appointments',
    group_flows: 'Flows',
    group_tests: 'Tests',
    'message.received':
      'When a customer’s message is saved, on any channel. Not for what the business sends.',
    'conversation.started': 'When a customer first writes on a channel. Not when they write again.',
    'conversation.handover':
      'When the assistant or a flow hands over to a person. Not again while that is open.',
    'conversation.assigned': 'When staff assigns, assigns anew or unassigns.',
    'conversation.resolved': 'When staff resolves or closes. Not for one that is resolved already.',
    'contact.created': 'When a contact is made, by whatever.',
    'contact.updated': 'When one of the fields that are sent changes. Not beside an opt-out.',
    'contact.opted_out': 'When a contact stops all messages. Not again for one who is out.',
    'lead.qualified': 'When a lead becomes qualified. Not for its other changes.',
    'appointment.booked':
      'When the assistant or a flow books, or the customer on the booking page. Not when staff adds one.',
    'appointment.cancelled': 'When an appointment is cancelled, by whomever.',
    'flow.completed': 'When a run is completed. Not when it was skipped or cancelled.',
    'flow.failed': 'When a run fails. Not when it was skipped or cancelled.',
    ping: 'Only when a member sends a test, which arrives without a subscription, too.',
  },
  ar: {
    group_conversations: 'المحادثات والرسائل',
    group_contacts: 'جهات الاتصال',
    group_business: 'العملاء المحتملون والمواعيد',
    group_flows: 'المسارات',
    group_tests: 'الأحداث التجريبية',
    'message.received': 'عند حفظ رسالة من عميل على أي قناة. لا يشمل ما يرسله المتجر.',
    'conversation.started': 'حين يكتب العميل أول مرة على قناة. لا يتكرر حين يكتب ثانية.',
    'conversation.handover':
      'حين يحوّل المساعد أو مسارٌ المحادثة إلى الفريق. لا يتكرر ما دام التحويل قائمًا.',
    'conversation.assigned': 'حين يُسند الفريق المحادثة أو يعيد إسنادها أو يلغيه.',
    'conversation.resolved': 'حين يُنهي الفريق المحادثة. لا يشمل محادثة منتهية.',
    'contact.created': 'عند إضافة جهة اتصال، أيًّا كان السبب.',
    'contact.updated': 'حين يتغيّر حقل من الحقول المُرسلة. لا يأتي مع إيقاف الرسائل.',
    'contact.opted_out': 'حين يوقف العميل كل الرسائل. لا يتكرر لمن أوقفها.',
    'lead.qualified': 'حين يصبح العميل المحتمل مؤهَّلًا. لا يشمل تغييراته الأخرى.',
    'appointment.booked':
      'حين يحجز المساعد أو مسارٌ، أو العميل في صفحة الحجز. لا يشمل ما يضيفه الفريق.',
    'appointment.cancelled': 'عند إلغاء موعد، أيًّا كان من ألغاه.',
    'flow.completed': 'حين يكتمل تنفيذ. لا يشمل ما تُخطّي أو أُلغي.',
    'flow.failed': 'حين يفشل تنفيذ. لا يشمل ما تُخطّي أو أُلغي.',
    ping: 'عندما يرسل أحد الأعضاء حدثًا تجريبيًا فقط، ويصل وإن لم تشترك فيه نقطة الاستقبال.',
  },
})
