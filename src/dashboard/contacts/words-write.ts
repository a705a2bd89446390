import { defineWords } from '../../core/words/define-words.ts'

/** Texts of sending a template from a contact's page. */
export const writeWords = defineWords({
  en: {
    write: 'Send a template',
    title: 'Send a template',
    channel: 'Channel',
    number: '{number}',
    template: 'Template',
    choose: 'Choose a template',
    template_in: '{name}, {language}',
    none_found: 'No matching templates.',
    no_channel:
      'None of your channels can start a conversation. Customers have to message you first.',
    no_templates: 'This channel has no approved templates. Create one with your provider.',
  },
  ar: {
    write: 'إرسال قالب',
    title: 'إرسال قالب',
    channel: 'القناة',
    number: '{number}',
    template: 'القالب',
    choose: 'اختيار قالب',
    template_in: '{name}، {language}',
    none_found: 'لا يوجد قالب بهذا الاسم.',
    no_channel: 'لا يمكنك بدء محادثة على أي من قنواتك: العميل هو من يبدأ.',
    no_templates: 'لا توجد قوالب معتمدة لهذه القناة. تُنشأ القوالب لدى المزوّد.',
  },
})
