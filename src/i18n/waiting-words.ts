/** The page that is shown instead of the dashboard while it is being built, or if the build failed. */
import type { Language } from '../core/vocabulary/hooks.ts'

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
      title: 'Preparing the dashboard',
      text: 'The service is already running. After the first start, this takes about 30 seconds. The dashboard opens here automatically.',
      steps: {
        installing: 'Step 1 of 3: downloading packages',
        building: 'Step 2 of 3: building pages',
        packing: 'Step 3 of 3: compressing files',
      },
    },
    missing: {
      title: 'The dashboard hasn’t been built',
      text: 'The service is running, but its dashboard hasn’t been built. If the build failed, the log shows why.',
      act: 'Run this in the project folder. The dashboard then opens here automatically:',
    },
  },
  ar: {
    preparing: {
      title: 'يجري تجهيز لوحة التحكم',
      text: 'الخدمة تعمل الآن. بعد أول تشغيل يستغرق التجهيز نحو نصف دقيقة، ثم تفتح هذه الصفحة لوحة التحكم تلقائيًا.',
      steps: {
        installing: 'الخطوة 1 من 3: تنزيل الحزم',
        building: 'الخطوة 2 من 3: بناء الصفحات',
        packing: 'الخطوة 3 من 3: ضغط الملفات',
      },
    },
    missing: {
      title: 'لوحة التحكم غير مجهَّزة',
      text: 'الخدمة تعمل، لكن لوحة التحكم غير مجهَّزة. إن تعذّر تجهيزها فالسبب في السجل.',
      act: 'نفّذ هذا الأمر في مجلد المشروع، وستفتح هذه الصفحة لوحة التحكم تلقائيًا:',
    },
  },
}
