import type { InboxFacts } from '../../facts/inbox.ts'
import { countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const STATES: Readonly<Record<string, string>> = { done: 'انتهت', cancelled: 'أُلغيت' }

export const AR_INBOX: Sentences<InboxFacts> = {
  no_such_conversation: () => 'ليس لهذه الشركة محادثة كهذه.',
  conversation_moved_on: ({ status, handledBy, assignee }) => {
    if (status === 'resolved') return 'أُغلقت المحادثة في هذه الأثناء. راجعها مرة أخرى.'
    const who =
      assignee === null
        ? `لدى ${handledBy === 'staff' ? 'فريق العمل' : 'المسارات والمساعد'} وليست مسندة إلى أحد`
        : `مسندة إلى ${quotedInArabic(assignee)}`
    return `تغيّرت المحادثة منذ رأيتها: هي الآن ${who}. راجعها مرة أخرى.`
  },
  conversation_resolved: () => 'أُغلقت المحادثة.',
  conversation_has_contact: () =>
    'هذه المحادثة مع جهة اتصال: امحُ جهة الاتصال، فتُفرَّغ محادثاتها كلها.',
  not_a_member: () => 'يجب أن يكون شخصًا من هذا الحساب',
  text_file_or_template: () => 'يُكتب هو أو الملف أو القالب: واحد منها فقط',
  caption_without_file: () => 'يُكتب تحت ملف: أضف الملف أو اكتب النص بدلًا منه',
  ids_or_filter: () => 'تُكتب هي أو المرشّح: واحد منهما فقط',
  placeholder_left: ({ placeholder }) =>
    `ما زال فيه الموضع ${quotedInArabic(`{{${placeholder}}}`)}: املأه أو احذفه`,
  placeholder_unknown: ({ placeholder, known }) =>
    `فيه الموضع ${quotedInArabic(`{{${placeholder}}}`)} الذي لا يُملأ أبدًا. المتاح: ${known.map((name) => inArabic(`{{${name}}}`)).join(' أو ')}`,
  no_such_message: () => 'ليس في المحادثة رسالة كهذه.',
  message_not_queued: ({ status }) =>
    `لم تعد الرسالة تنتظر الإرسال، فحالتها ${inArabic(status)}. لا يمكن التراجع عنها.`,
  message_of_another: () => 'لا يتراجع عن الرسالة إلا كاتبها.',
  no_such_note: () => 'ليس في المحادثة ملاحظة كهذه.',
  note_of_another: () => 'لا يغيّر الملاحظة إلا كاتبها.',
  no_such_canned_reply: () => 'ليس لهذه الشركة رد جاهز كهذا.',
  canned_reply_of_another: () =>
    'يمكن للموظف تعديل أو حذف الردود الجاهزة التي أنشأها فقط. اطلب ذلك من مالك أو مدير.',
  not_a_shortcut: () => 'يجب أن يكون من 1 إلى 40 من الحروف أو الأرقام أو الشرطات',
  shortcut_taken: ({ shortcut }) => `هو ${quotedInArabic(shortcut)}، وهو لرد جاهز آخر: اختر غيره`,
  canned_replies_full: ({ most }) =>
    `أقصى ما للشركة من الردود الجاهزة ${countedInArabic(most, 'reply')}. احذف واحدًا أولًا.`,
  no_such_close_job: () => 'ليس لهذه الشركة مهمة كهذه.',
  close_job_over: ({ state }) =>
    state in STATES ? `${STATES[state]} المهمة من قبل.` : `حالة المهمة ${inArabic(state)}.`,
  bulk_filter_needs_admin: () => 'الإغلاق بمرشّح للمالك أو المدير فقط. حدّد المحادثات بدلًا من ذلك.',
}
