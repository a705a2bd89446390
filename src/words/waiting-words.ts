/** What stands in the dashboard's place while it is being built, or when it could not be. */
import type { Language } from '../vocabulary/hooks.ts'

export type WaitingWords = {
  preparing: {
    title: string
    text: string
    steps: { installing: string; building: string; packing: string }
  }
  missing: { title: string; text: string; act: string }
}

export const WAITING_WORDS: Record<Language, WaitingWords> = {
  en: {
    preparing: {
      title: 'The dashboard is being prepared',
      text: 'The service works already. After the first start this takes about half a minute; this page opens the dashboard by itself.',
      steps: {
        installing: 'Step 1 of 3: downloading packages',
        building: 'Step 2 of 3: building pages',
        packing: 'Step 3 of 3: compressing files',
      },
    },
    missing: {
      title: 'The dashboard is not built',
      text: 'The service works, but its dashboard is not built. If it could not be, the log says why.',
      act: "Run this in the project's folder; this page opens the dashboard by itself then:",
    },
  },
  ar: {
    preparing: {
      title: 'يجري تجهيز لوحة التحكم',
      text: 'الخدمة تعمل الآن. يستغرق التجهيز نحو نصف دقيقة بعد أول تشغيل، ثم تفتح هذه الصفحة لوحة التحكم من تلقاء نفسها.',
      steps: {
        installing: 'الخطوة 1 من 3: تنزيل الحزم',
        building: 'الخطوة 2 من 3: بناء الصفحات',
        packing: 'الخطوة 3 من 3: ضغط الملفات',
      },
    },
    missing: {
      title: 'لوحة التحكم غير مجهَّزة',
      text: 'الخدمة تعمل، لكن لوحة التحكم غير مجهَّزة. إن تعذّر تجهيزها فالسبب مذكور في السجل.',
      act: 'نفّذ هذا الأمر في مجلد المشروع، ثم تفتح هذه الصفحة لوحة التحكم من تلقاء نفسها:',
    },
  },
}
