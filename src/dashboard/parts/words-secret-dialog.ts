import { defineWords } from '../../core/words/define-words.ts'

/** Texts of the dialog that shows a secret once. */
export const secretDialogWords = defineWords({
  en: {
    secret_not_again:
      'This won’t be shown again. Store it on your server, never in a browser or an app.',
    invitation_not_again:
      'This won’t be shown again. The person opens it in a browser to accept the invitation.',
    calendar_not_again:
      'This won’t be shown again. Use it only in your own calendar: anyone who has it can see the appointments.',
    secret_stored: 'I’ve stored it safely',
    download_env: 'Download .env',
    fingerprint: 'Fingerprint',
  },
  ar: {
    secret_not_again: 'لن يظهر مرة أخرى. احفظه على خادمك، لا في متصفح أو تطبيق.',
    invitation_not_again: 'لن يظهر الرابط مرة أخرى. يُفتح في المتصفح لقبول الدعوة.',
    calendar_not_again: 'لن يظهر الرابط مرة أخرى. استخدمه في تقويمك فقط: كل من يملكه يرى المواعيد.',
    secret_stored: 'حفظته في مكان آمن',
    download_env: 'تنزيل ‎.env',
    fingerprint: 'بصمة',
  },
})
