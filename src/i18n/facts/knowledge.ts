import type { KnowledgeFacts } from '../../core/facts/knowledge.ts'
import { defineFacts } from '../define-facts.ts'

export const knowledgeFacts = defineFacts<KnowledgeFacts>()({
  en: {
    no_such_source: 'No source with this ID.',
    source_is_off: 'The source is switched off. Switch it on to have it read.',
    sources_full: 'You have {max} sources, the maximum. Delete one to add another.',
    chunks_full:
      'All sources together can have at most {max} passages. With this one, there would be {count}. Switch off or delete sources, or shorten this one.',
    synonyms_full: 'You have {max} synonyms, the maximum. Delete one to add another.',
    no_such_synonym: 'No such synonym.',
    synonym_not_one_word: 'A synonym must be a single word. Its meaning can have several.',
    synonym_of_no_words: 'Enter words made of letters or digits.',
    source_file_type: 'This file type isn’t supported. Use .txt, .md, .csv, .html, .docx or .pdf.',
    source_file_body_type:
      'Send the file itself as the body, with Content-Type: application/octet-stream.',
    source_file_too_large: 'A file can be at most {max, megabytes}.',
    source_file_differs:
      'The contents of "{name}" don’t match its file extension. Save it again in that format.',
    source_has_no_text_to_edit: {
      text: '{kind}',
      forms: {
        kind: {
          file: 'You can’t edit a file’s text here. Upload the changed file, then delete this one.',
          other:
            'You can’t edit a page’s text here. It’s read again every day, or immediately with “Read again”.',
        },
      },
    },
    source_empty:
      'No text found. Text in images isn’t read, so use a document whose text can be selected.',
    source_broken:
      'The document couldn’t be read: it’s damaged, or its format doesn’t match its file extension. Save it again and upload it.',
    source_locked: 'The document is protected with a password. Save it without one.',
    source_too_many_pages: 'The document has more than {max} pages. Split it into several.',
    source_unpacks_too_large:
      'Uncompressed, the document is larger than {max, megabytes}. Remove large images, or split it.',
    source_too_slow:
      'Reading the document took longer than {seconds} seconds. Split it into several.',
    source_too_heavy: 'Reading the document needs too much memory. Split it into several.',
    page_status: 'The page returned `{status}`.',
    page_too_many_redirects: 'The page redirected more than {max} times. Use its final URL.',
    page_redirect_unusable:
      'The page redirected to a URL that can’t be used. Only public https URLs are followed.',
    page_too_large:
      'The page is larger than {max, megabytes}. Use a smaller page, or add its text.',
    page_type:
      'This URL returns {mediaType}. Only web pages and plain text are read; upload other documents as files.',
    page_forbids_robots:
      'The site’s robots.txt doesn’t allow this page to be read. Allow WaslaBot there, or add the text instead.',
    page_encoding: 'The page was compressed with {encoding}, which we didn’t ask for.',
  },
  ar: {
    no_such_source: 'هذا المصدر غير موجود في المشروع.',
    source_is_off: 'المصدر موقوف. فعّله لتبدأ قراءته.',
    sources_full: 'بلغت مصادر المشروع الحد الأقصى: {max}. احذف مصدرًا لإضافة آخر.',
    chunks_full:
      'الحد الأقصى لمقاطع مصادر المشروع {max}، ومع هذا المصدر تصبح {count}. أوقف مصادر أو احذفها، أو اختصر هذا المصدر.',
    synonyms_full: 'بلغت مرادفات المشروع الحد الأقصى: {max}. احذف مرادفًا لإضافة آخر.',
    no_such_synonym: 'هذا المرادف غير موجود في المشروع.',
    synonym_not_one_word: 'المرادف كلمة واحدة، أما معناه فقد يكون عدة كلمات.',
    synonym_of_no_words: 'اكتب كلمات من أحرف أو أرقام.',
    source_file_type:
      'أنواع الملفات المدعومة: `.txt`، `.md`، `.csv`، `.html`، `.docx`، `.pdf`. احفظ المستند بأحد هذه الأنواع.',
    source_file_body_type:
      'أرسل الملف كما هو محتوًى للطلب، بنوع المحتوى `application/octet-stream`.',
    source_file_too_large: 'أكبر حجم مسموح للملف {max, megabytes}.',
    source_file_differs:
      'محتوى «{name}» ليس من النوع الذي يدل عليه اسمه. احفظه من جديد بهذا النوع.',
    source_has_no_text_to_edit: {
      text: '{kind}',
      forms: {
        kind: {
          file: 'يُقرأ هذا النص من ملف. ارفع الملف المعدّل ثم احذف هذا.',
          other: 'يُقرأ هذا النص من صفحة. تُقرأ الصفحة كل يوم، أو فورًا بزر «إعادة القراءة».',
        },
      },
    },
    source_empty: 'لم يُعثر على نص. النصوص المصوّرة لا تُقرأ: استخدم مستندًا يمكن تحديد كلماته.',
    source_broken:
      'تعذّرت قراءة المستند: الملف تالف، أو ليس من النوع المذكور. احفظه من جديد ثم ارفعه.',
    source_locked: 'المستند محمي بكلمة مرور. احفظه بدونها.',
    source_too_many_pages: 'تجاوزت صفحات المستند الحد الأقصى: {max}. قسّمه إلى عدة مستندات.',
    source_unpacks_too_large:
      'حجم المستند بعد فك ضغطه أكبر من {max, megabytes}. أزل منه الصور الكبيرة أو قسّمه.',
    source_too_slow:
      'لم تكتمل قراءة المستند في الوقت المحدد (بالثواني: {seconds}). قسّمه إلى عدة مستندات.',
    source_too_heavy: 'تحتاج قراءة المستند ذاكرة أكثر من المتاح لمستند واحد. قسّمه إلى عدة مستندات.',
    page_status: 'ردّت الصفحة بالرمز `{status}` بدل محتواها.',
    page_too_many_redirects: 'تجاوزت إعادات توجيه الصفحة الحد الأقصى: {max}. استخدم الرابط الأخير.',
    page_redirect_unusable:
      'أعادت الصفحة التوجيه إلى رابط لا نتبعه: لا نصل إلا إلى روابط https العامة.',
    page_too_large: 'حجم الصفحة أكبر من {max, megabytes}. استخدم صفحة أصغر أو أضف نصها.',
    page_type:
      'محتوى هذا الرابط {mediaType}. تُقرأ صفحات الويب والنصوص فقط، أما المستندات الأخرى فارفعها كملفات.',
    page_forbids_robots:
      'لا يسمح ملف `robots.txt` في الموقع بقراءة هذه الصفحة آليًا. اسمح فيه لـ `WaslaBot` أو أضف النص.',
    page_encoding: 'وصلت الصفحة مضغوطة بصيغة {encoding} لم نطلبها.',
  },
})
