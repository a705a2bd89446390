import { defineWords } from '../core/words/define-words.ts'

/** Texts of the page that is shown instead of the dashboard while it is being built, or if the build failed. */
export const waitingWords = defineWords({
  en: {
    preparing: 'Preparing the dashboard',
    preparing_text:
      'The service is already running. After the first start, this takes about 30 seconds. The dashboard opens here automatically.',
    installing: 'Step 1 of 3: downloading packages',
    building: 'Step 2 of 3: building pages',
    packing: 'Step 3 of 3: compressing files',
    missing: 'The dashboard hasn’t been built',
    missing_text:
      'The service is running, but its dashboard hasn’t been built. If the build failed, the log shows why.',
    missing_act: 'Run this in the project folder. The dashboard then opens here automatically:',
  },
  ar: {
    preparing: 'يجري تجهيز لوحة التحكم',
    preparing_text:
      'الخدمة تعمل الآن. بعد أول تشغيل يستغرق التجهيز نحو نصف دقيقة، ثم تفتح هذه الصفحة لوحة التحكم تلقائيًا.',
    installing: 'الخطوة 1 من 3: تنزيل الحزم',
    building: 'الخطوة 2 من 3: بناء الصفحات',
    packing: 'الخطوة 3 من 3: ضغط الملفات',
    missing: 'لوحة التحكم غير مجهَّزة',
    missing_text: 'الخدمة تعمل، لكن لوحة التحكم غير مجهَّزة. إن تعذّر تجهيزها فالسبب في السجل.',
    missing_act: 'نفّذ هذا الأمر في مجلد المشروع، وستفتح هذه الصفحة لوحة التحكم تلقائيًا:',
  },
})
