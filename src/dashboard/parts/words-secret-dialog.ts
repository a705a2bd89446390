import { defineWords } from '../words/define-words.ts'

/** Of the dialog that shows a secret once. */
export const secretDialogWords = defineWords({
  en: {
    secret_not_again:
      'It is not shown again. Keep it on your server, never in a browser or an app.',
    secret_stored: 'I have stored it',
    download_env: 'Download .env',
    fingerprint: 'Fingerprint',
  },
  ar: {
    secret_not_again: 'لن يظهر مرة أخرى. احفظه على خادمك، لا في متصفح أو تطبيق.',
    secret_stored: 'حفظته في مكان آمن',
    download_env: 'تنزيل ‎.env',
    fingerprint: 'بصمة',
  },
})
