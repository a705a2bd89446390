import type { InboxFacts } from '../../core/facts/inbox.ts'
import { defineFacts } from '../define-facts.ts'

export const inboxFacts = defineFacts<InboxFacts>()({
  en: {
    no_such_conversation: 'No conversation with this ID.',
    conversation_moved_on: {
      text: '{status}',
      forms: {
        status: {
          resolved:
            'This conversation was resolved after you opened it. Review it before you continue.',
          other:
            'This conversation has changed since you opened it. It now {assignee}. Review it before you continue.',
        },
        assignee: {
          null: 'is with {handledBy} and unassigned',
          other: 'is assigned to "{assignee}"',
        },
        handledBy: { staff: 'your team', other: 'flows and the assistant' },
      },
    },
    conversation_resolved: 'The conversation was resolved.',
    conversation_has_contact:
      'This conversation belongs to a contact. Erase the contact instead, which erases all their conversations.',
    not_a_member: 'must be a member of this account',
    text_file_or_template:
      'is required unless you send a file or a template. Send exactly one of them',
    caption_without_file: 'is a caption, so send a fileId with it, or use text instead',
    ids_or_filter: 'are required unless you send a filter. Send exactly one of them',
    placeholder_left:
      'still contains the placeholder "`{{{placeholder}}}`". Fill it in or remove it',
    placeholder_unknown:
      'contains the placeholder "`{{{placeholder}}}`", which is never filled in. Use {known, or}',
    no_such_message: 'No message with this ID in this conversation.',
    message_not_queued:
      'The message is no longer queued: it’s {status}. Sending can’t be cancelled.',
    message_of_another: 'Only the person who wrote a message can cancel sending it.',
    no_such_note: 'No note with this ID in this conversation.',
    note_of_another: 'Only the person who wrote a note can change it.',
    no_such_canned_reply: 'No saved reply with this ID.',
    canned_reply_of_another:
      'Agents can change or delete only the saved replies they created. Ask an Owner or Admin.',
    not_a_shortcut: 'must be 1 to 40 letters, digits, dashes or underscores',
    shortcut_taken:
      'is "{shortcut}", which another saved reply already uses. Choose another shortcut',
    canned_replies_full: 'You can have at most {max, saved_reply}. Delete one first.',
    no_such_close_job: 'No job with this ID.',
    close_job_over: {
      text: 'The job is already {state}.',
      forms: { state: { done: 'done', cancelled: 'cancelled', other: '{state}' } },
    },
    bulk_filter_needs_admin:
      'Only Owners and Admins can resolve conversations by filter. Select conversations instead.',
  },
  ar: {
    no_such_conversation: 'هذه المحادثة غير موجودة في المشروع.',
    conversation_moved_on: {
      text: '{status}',
      forms: {
        status: {
          resolved: 'أُنهيت المحادثة أثناء عملك عليها. راجعها مرة أخرى.',
          other: 'تغيّرت المحادثة بعد فتحها، وهي الآن {assignee}. راجعها مرة أخرى.',
        },
        assignee: { null: 'لدى {handledBy} وغير مُسندة', other: 'مُسندة إلى «{assignee}»' },
        handledBy: { staff: 'الفريق', other: 'المسارات والمساعد' },
      },
    },
    conversation_resolved: 'أُنهيت المحادثة.',
    conversation_has_contact:
      'هذه المحادثة مع جهة اتصال. لمحوها امحُ جهة الاتصال، فتُمحى كل محادثاتها.',
    not_a_member: 'اختر عضوًا من هذا الحساب',
    text_file_or_template: 'يلزم نص أو ملف أو قالب: واحد منها فقط',
    caption_without_file: 'نص مرافق لملف: أضف ملفًا، أو اكتب النص في text',
    ids_or_filter: 'حدّد المحادثات أو التصفية: أحدهما فقط',
    placeholder_left: 'ما زال في النص المتغيّر «`{{{placeholder}}}`»: املأه أو احذفه',
    placeholder_unknown: 'فيه المتغيّر «`{{{placeholder}}}`» الذي لا يُملأ أبدًا. المتاح: {known, or}',
    no_such_message: 'هذه الرسالة غير موجودة في المحادثة.',
    message_not_queued: 'لم تعد الرسالة بانتظار الإرسال، وحالتها {status}. لا يمكن سحبها.',
    message_of_another: 'لا يسحب الرسالة إلا من كتبها.',
    no_such_note: 'هذه الملاحظة غير موجودة في المحادثة.',
    note_of_another: 'لا يعدّل الملاحظة إلا من كتبها.',
    no_such_canned_reply: 'هذا الرد الجاهز غير موجود في المشروع.',
    canned_reply_of_another:
      'لا يعدّل الموظف أو يحذف إلا الردود الجاهزة التي أنشأها. اطلب ذلك من مالك أو مدير.',
    not_a_shortcut: 'من 1 إلى 40 من الأحرف أو الأرقام أو الشرطات',
    shortcut_taken: 'الاختصار «{shortcut}» مستخدم في رد جاهز آخر: اختر غيره',
    canned_replies_full: 'بلغت الردود الجاهزة في المشروع الحد الأقصى: {max, reply}. احذف واحدًا أولًا.',
    no_such_close_job: 'مهمة الإنهاء هذه غير موجودة في المشروع.',
    close_job_over: {
      text: '{state}.',
      forms: {
        state: {
          done: 'انتهت المهمة بالفعل',
          cancelled: 'أُلغيت المهمة بالفعل',
          other: 'حالة المهمة {state}',
        },
      },
    },
    bulk_filter_needs_admin:
      'إنهاء كل نتائج التصفية متاح للمالك والمدير فقط. حدّد المحادثات بدلًا من ذلك.',
  },
})
