import type { InboxFacts } from '../../core/facts/inbox.ts'
import { countedInArabic } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const STATES: Readonly<Record<string, string>> = { done: 'انتهت', cancelled: 'أُلغيت' }

export const AR_INBOX: Catalog<InboxFacts> = {
  no_such_conversation: () => 'هذه المحادثة غير موجودة في المشروع.',
  conversation_moved_on: ({ status, handledBy, assignee }) => {
    if (status === 'resolved') return 'أُنهيت المحادثة أثناء عملك عليها. راجعها مرة أخرى.'
    const who =
      assignee === null
        ? `لدى ${handledBy === 'staff' ? 'الفريق' : 'المسارات والمساعد'} وغير مُسندة`
        : `مُسندة إلى ${quotedInArabic(assignee)}`
    return `تغيّرت المحادثة بعد فتحها، وهي الآن ${who}. راجعها مرة أخرى.`
  },
  conversation_resolved: () => 'أُنهيت المحادثة.',
  conversation_has_contact: () =>
    'هذه المحادثة مع جهة اتصال. لمحوها امحُ جهة الاتصال، فتُمحى كل محادثاتها.',
  not_a_member: () => 'اختر عضوًا من هذا الحساب',
  text_file_or_template: () => 'يلزم نص أو ملف أو قالب: واحد منها فقط',
  caption_without_file: () => 'نص مرافق لملف: أضف ملفًا، أو اكتب النص في text',
  ids_or_filter: () => 'حدّد المحادثات أو التصفية: أحدهما فقط',
  placeholder_left: ({ placeholder }) =>
    `ما زال في النص المتغيّر ${quotedInArabic(`{{${placeholder}}}`)}: املأه أو احذفه`,
  placeholder_unknown: ({ placeholder, known }) =>
    `فيه المتغيّر ${quotedInArabic(`{{${placeholder}}}`)} الذي لا يُملأ أبدًا. المتاح: ${known.map((name) => inArabic(`{{${name}}}`)).join(' أو ')}`,
  no_such_message: () => 'هذه الرسالة غير موجودة في المحادثة.',
  message_not_queued: ({ status }) =>
    `لم تعد الرسالة بانتظار الإرسال، وحالتها ${inArabic(status)}. لا يمكن سحبها.`,
  message_of_another: () => 'لا يسحب الرسالة إلا من كتبها.',
  no_such_note: () => 'هذه الملاحظة غير موجودة في المحادثة.',
  note_of_another: () => 'لا يعدّل الملاحظة إلا من كتبها.',
  no_such_canned_reply: () => 'هذا الرد الجاهز غير موجود في المشروع.',
  canned_reply_of_another: () =>
    'لا يعدّل الموظف أو يحذف إلا الردود الجاهزة التي أنشأها. اطلب ذلك من مالك أو مدير.',
  not_a_shortcut: () => 'من 1 إلى 40 من الأحرف أو الأرقام أو الشرطات',
  shortcut_taken: ({ shortcut }) =>
    `الاختصار ${quotedInArabic(shortcut)} مستخدم في رد جاهز آخر: اختر غيره`,
  canned_replies_full: ({ max }) =>
    `بلغت الردود الجاهزة في المشروع الحد الأقصى: ${countedInArabic(max, 'reply')}. احذف واحدًا أولًا.`,
  no_such_close_job: () => 'مهمة الإنهاء هذه غير موجودة في المشروع.',
  close_job_over: ({ state }) =>
    state in STATES ? `${STATES[state]} المهمة بالفعل.` : `حالة المهمة ${inArabic(state)}.`,
  bulk_filter_needs_admin: () =>
    'إنهاء كل نتائج التصفية متاح للمالك والمدير فقط. حدّد المحادثات بدلًا من ذلك.',
}
