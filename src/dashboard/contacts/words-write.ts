import { defineWords } from '../words/define-words.ts'

/** A template that is sent from a contact's page. */
export const writeWords = defineWords({
  en: {
    write: 'Send a template',
    title: 'Send a template',
    channel: 'Channel',
    number: '{number}',
    template: 'Template',
    choose: 'Choose a template',
    template_in: '{name}, {language}',
    none_found: 'No template has this name.',
    no_channel: 'On none of your channels can you write first: customers begin.',
    no_templates: 'This channel has no approved template. One is made at the provider.',
  },
  ar: {
    write: 'إرسال قالب',
    title: 'إرسال قالب',
    channel: 'القناة',
    number: '{number}',
    template: 'القالب',
    choose: 'اختيار قالب',
    template_in: '{name}، {language}',
    none_found: 'لا قالب بهذا الاسم.',
    no_channel: 'لا يمكن بدء الكتابة على أي من قنواتك: العميل هو من يبدأ.',
    no_templates: 'لا قالب معتمدًا لهذه القناة. تُنشأ القوالب لدى المزوّد.',
  },
})
