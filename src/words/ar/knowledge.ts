import type { KnowledgeFacts } from '../../facts/knowledge.ts'
import { written } from '../counted.ts'
import { megabytes } from '../en/files.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_KNOWLEDGE: Sentences<KnowledgeFacts> = {
  no_such_source: () => 'لا يوجد مصدر كهذا في هذه الشركة.',
  source_is_off: () => 'المصدر موقوف. فعّله وسيُقرأ عندئذ.',
  sources_full: ({ most }) => `للشركة ${written(most)} مصدر، وهو الحد. احذف مصدرًا لإضافة آخر.`,
  chunks_full: ({ most, count }) =>
    `لمصادر الشركة كلها ${written(most)} مقطع على الأكثر، ومع هذا المصدر تصير ${written(count)}. أوقف مصادر أو احذفها، أو اختصر هذا المصدر.`,
  synonyms_full: ({ most }) => `للشركة ${written(most)} مرادف، وهو الحد. احذف مرادفًا لإضافة آخر.`,
  no_such_synonym: () => 'لا يوجد مرادف كهذا في هذه الشركة.',
  synonym_not_one_word: () => 'المرادف لكلمة واحدة. وقد يكون معناها عدة كلمات.',
  synonym_of_no_words: () => 'اكتب كلمات من حروف أو أرقام.',
  source_file_type: () =>
    `الملفات التي تُقرأ: ${['.txt', '.md', '.csv', '.html', '.docx', '.pdf'].map(inArabic).join('، ')}. احفظ المستند بأحد هذه الأنواع.`,
  source_file_body_type: () =>
    `يُرسل الملف كما هو في متن الطلب، بنوع المحتوى ${inArabic('application/octet-stream')}.`,
  source_file_too_large: ({ most }) => `أكبر حجم مسموح للملف ${inArabic(megabytes(most))}.`,
  source_file_differs: ({ name }) =>
    `محتوى ${quotedInArabic(name)} ليس من النوع الذي يدل عليه اسمه. احفظه من جديد بهذا النوع.`,
  source_has_no_text_to_edit: ({ kind }) =>
    kind === 'file'
      ? 'نص الملف من الملف نفسه. ارفع الملف المعدّل ثم احذف هذا.'
      : 'نص الصفحة من الصفحة نفسها. تُقرأ من جديد كل يوم، وفورًا بزر «القراءة من جديد».',
  source_empty: () => 'لم يُعثر على نص. صور الكلام لا تُقرأ: استعمل مستندًا يمكن تحديد كلماته.',
  source_broken: () =>
    'تعذّرت قراءة المستند: فيه تلف، أو ليس من النوع المذكور. احفظه من جديد وارفعه.',
  source_locked: () => 'المستند مقفل بكلمة مرور. احفظه دونها.',
  source_too_many_pages: ({ most }) =>
    `في المستند أكثر من ${written(most)} صفحة. قسّمه إلى عدة مستندات.`,
  source_unpacks_too_large: ({ most }) =>
    `حجم المستند بعد فك ضغطه أكثر من ${inArabic(megabytes(most))}. أخرج منه الصور الكبيرة أو قسّمه.`,
  source_too_slow: ({ seconds }) =>
    `لم تنته قراءة المستند خلال ${written(seconds)} ثانية. قسّمه إلى عدة مستندات.`,
  source_too_heavy: () =>
    'تحتاج قراءة المستند ذاكرة أكثر من المتاح لمستند واحد. قسّمه إلى عدة مستندات.',
  page_status: ({ status }) => `ردّت الصفحة بـ ${inArabic(String(status))} بدل محتواها.`,
  page_too_many_redirects: ({ most }) =>
    `أحالت الصفحة إلى غيرها أكثر من ${written(most)} مرات. استعمل العنوان الأخير.`,
  page_redirect_unusable: () => 'أحالت الصفحة إلى عنوان لا نتبعه: نصل إلى عناوين https العامة فقط.',
  page_too_large: ({ most }) =>
    `حجم الصفحة أكثر من ${inArabic(megabytes(most))}. استعمل صفحة أصغر أو أضف نصها.`,
  page_type: ({ mediaType }) =>
    `محتوى هذا العنوان ${inArabic(mediaType)}. تُقرأ صفحات الويب والنصوص، وترفع المستندات الأخرى ملفات.`,
  page_forbids_robots: () =>
    `لا يسمح ملف ${inArabic('robots.txt')} في الموقع للبرامج بقراءة هذه الصفحة. اسمح فيه لـ ${inArabic('WaslaBot')} أو أضف النص.`,
  page_encoding: ({ encoding }) => `جاءت الصفحة مضغوطة بصيغة ${inArabic(encoding)} لم نطلبها.`,
}
