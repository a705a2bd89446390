import { defineWords } from '../../core/words/define-words.ts'

/** The texts that ask a customer to confirm an action of the assistant, and that state its outcome. */
export const actionWords = defineWords({
  en: {
    offer: 'I can do this for you:',
    ask: 'Shall I go ahead?',
    ask_to_cancel: 'Shall I cancel this appointment?',
    cancel_appointment: 'cancel the appointment',
    typed: 'Please answer yes or no.',
    yes: 'Yes',
    no: 'No',
    true: 'yes',
    false: 'no',

    agreed: 'Done',
    failed: 'The shop’s system did not accept this, and nothing was changed',
    unknown: 'I could not find out whether this went through',
    refused: 'All right, I did not do this',
    late: 'Your answer came too late for this, and nothing was changed',
    unclear: 'I had no clear yes, so nothing was changed',
    withdrawn: 'This is no longer possible as it was, and nothing was changed',
  },
  ar: {
    offer: 'يمكنني تنفيذ هذا لك:',
    ask: 'هل أنفّذ ذلك؟',
    ask_to_cancel: 'هل تريد إلغاء هذا الموعد؟',
    cancel_appointment: 'إلغاء الموعد',
    typed: 'الرجاء الرد بكلمة «نعم» أو «لا».',
    yes: 'نعم',
    no: 'لا',
    true: 'نعم',
    false: 'لا',

    agreed: 'تم',
    failed: 'لم يقبله نظام المتجر، ولم يتغيّر شيء',
    unknown: 'لم أستطع التأكد من تنفيذ هذا',
    refused: 'حسنًا، لم أنفّذ هذا',
    late: 'وصل ردّك متأخرًا، ولم يتغيّر شيء',
    unclear: 'لم تصلني موافقة واضحة، فلم يتغيّر شيء',
    withdrawn: 'لم يعد هذا ممكنًا كما كان، ولم يتغيّر شيء',
  },
})
