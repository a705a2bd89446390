import type { KnowledgeFacts } from '../../core/facts/knowledge.ts'
import { written } from '../counted.ts'
import { megabytes } from '../en/files.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_KNOWLEDGE: Catalog<KnowledgeFacts> = {
  no_such_source: () => 'هذا المصدر غير موجود في المشروع.',
  source_is_off: () => 'المصدر موقوف. فعّله لتبدأ قراءته.',
  sources_full: ({ max }) =>
    `بلغت مصادر المشروع الحد الأقصى: ${written(max)}. احذف مصدرًا لإضافة آخر.`,
  chunks_full: ({ max, count }) =>
    `الحد الأقصى لمقاطع مصادر المشروع ${written(max)}، ومع هذا المصدر تصبح ${written(count)}. أوقف مصادر أو احذفها، أو اختصر هذا المصدر.`,
  synonyms_full: ({ max }) =>
    `بلغت مرادفات المشروع الحد الأقصى: ${written(max)}. احذف مرادفًا لإضافة آخر.`,
  no_such_synonym: () => 'هذا المرادف غير موجود في المشروع.',
  synonym_not_one_word: () => 'المرادف كلمة واحدة، أما معناه فقد يكون عدة كلمات.',
  synonym_of_no_words: () => 'اكتب كلمات من أحرف أو أرقام.',
  source_file_type: () =>
    `أنواع الملفات المدعومة: ${['.txt', '.md', '.csv', '.html', '.docx', '.pdf'].map(inArabic).join('، ')}. احفظ المستند بأحد هذه الأنواع.`,
  source_file_body_type: () =>
    `أرسل الملف كما هو محتوًى للطلب، بنوع المحتوى ${inArabic('application/octet-stream')}.`,
  source_file_too_large: ({ max }) => `أكبر حجم مسموح للملف ${inArabic(megabytes(max))}.`,
  source_file_differs: ({ name }) =>
    `محتوى ${quotedInArabic(name)} ليس من النوع الذي يدل عليه اسمه. احفظه من جديد بهذا النوع.`,
  source_has_no_text_to_edit: ({ kind }) =>
    kind === 'file'
      ? 'يُقرأ هذا النص من ملف. ارفع الملف المعدّل ثم احذف هذا.'
      : 'يُقرأ هذا النص من صفحة. تُقرأ الصفحة كل يوم، أو فورًا بزر «إعادة القراءة».',
  source_empty: () => 'لم يُعثر على نص. النصوص المصوّرة لا تُقرأ: استخدم مستندًا يمكن تحديد كلماته.',
  source_broken: () =>
    'تعذّرت قراءة المستند: الملف تالف، أو ليس من النوع المذكور. احفظه من جديد ثم ارفعه.',
  source_locked: () => 'المستند محمي بكلمة مرور. احفظه بدونها.',
  source_too_many_pages: ({ max }) =>
    `تجاوزت صفحات المستند الحد الأقصى: ${written(max)}. قسّمه إلى عدة مستندات.`,
  source_unpacks_too_large: ({ max }) =>
    `حجم المستند بعد فك ضغطه أكبر من ${inArabic(megabytes(max))}. أزل منه الصور الكبيرة أو قسّمه.`,
  source_too_slow: ({ seconds }) =>
    `لم تكتمل قراءة المستند في الوقت المحدد (بالثواني: ${written(seconds)}). قسّمه إلى عدة مستندات.`,
  source_too_heavy: () =>
    'تحتاج قراءة المستند ذاكرة أكثر من المتاح لمستند واحد. قسّمه إلى عدة مستندات.',
  page_status: ({ status }) => `ردّت الصفحة بالرمز ${inArabic(String(status))} بدل محتواها.`,
  page_too_many_redirects: ({ max }) =>
    `تجاوزت إعادات توجيه الصفحة الحد الأقصى: ${written(max)}. استخدم الرابط الأخير.`,
  page_redirect_unusable: () =>
    'أعادت الصفحة التوجيه إلى رابط لا نتبعه: لا نصل إلا إلى روابط https العامة.',
  page_too_large: ({ max }) =>
    `حجم الصفحة أكبر من ${inArabic(megabytes(max))}. استخدم صفحة أصغر أو أضف نصها.`,
  page_type: ({ mediaType }) =>
    `محتوى هذا الرابط ${inArabic(mediaType)}. تُقرأ صفحات الويب والنصوص فقط، أما المستندات الأخرى فارفعها كملفات.`,
  page_forbids_robots: () =>
    `لا يسمح ملف ${inArabic('robots.txt')} في الموقع بقراءة هذه الصفحة آليًا. اسمح فيه لـ ${inArabic('WaslaBot')} أو أضف النص.`,
  page_encoding: ({ encoding }) => `وصلت الصفحة مضغوطة بصيغة ${inArabic(encoding)} لم نطلبها.`,
}
