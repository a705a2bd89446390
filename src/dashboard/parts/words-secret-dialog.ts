import { defineWords } from '../words/define-words.ts'

/** Of the dialog that shows a secret once. */
export const secretDialogWords = defineWords({
  en: {
    secret_not_again:
      'It is not shown again. Keep it on your server, never in a browser or an app.',
    invitation_not_again:
      'It is not shown again. It is opened in a browser, to accept the invitation.',
    calendar_not_again:
      'It is not shown again. Its place is your calendar alone: who has it sees the appointments.',
    secret_stored: 'I have stored it',
    download_env: 'Download .env',
    fingerprint: 'Fingerprint',
  },
  ar: {
    secret_not_again: 'لن يظهر مرة أخرى. احفظه على خادمك، لا في متصفح أو تطبيق.',
    invitation_not_again: 'لن يظهر مرة أخرى. يُفتح في المتصفح لقبول الدعوة.',
    calendar_not_again: 'لن يظهر مرة أخرى. ضعه في تقويمك فقط: كل من لديه هذا الرابط يرى المواعيد.',
    secret_stored: 'حفظته في مكان آمن',
    download_env: 'تنزيل ‎.env',
    fingerprint: 'بصمة',
  },
})
