import type { ContactFacts } from '../../facts/contacts.ts'
import { countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_CONTACTS: Sentences<ContactFacts> = {
  no_such_contact: () => 'لا توجد جهة اتصال كهذه.',
  no_such_contact_field: () => 'لا يوجد حقل كهذا.',
  contact_has_number: () =>
    'هذا الرقم لجهة اتصال أخرى: افتحها، أو ادمج الاثنتين إن كانتا لعميل واحد.',
  contact_nameless: () => 'يلزم اسم أو هاتف أو بريد إلكتروني: وإلا لا يمكن العثور على جهة الاتصال',
  field_not_number: () => `اكتب رقمًا مثل ${inArabic('12')} أو ${inArabic('12.5')}`,
  field_not_date: () => `اكتب تاريخًا مثل ${inArabic('2026-11-21')}`,
  unknown_contact_field: ({ key }) =>
    `ليس من حقول جهات الاتصال في هذا المشروع، أو هو مؤرشف: ${quotedInArabic(key)}`,
  contact_field_key_taken: () => 'هذا المفتاح لحقل آخر، وقد يكون مؤرشفًا',
  wrong_field_key: () =>
    `يبدأ بحرف لاتيني صغير، وفيه ${inArabic('a-z 0-9 _')} فقط، والحد الأعلى ${inArabic('40')}`,
  choices_needed: () => 'يلزم خيار واحد على الأقل لحقل من نوع الخيارات',
  choices_not_wanted: () => 'الخيارات لحقول من نوع الخيارات فقط',
  too_many_contact_fields: ({ most }) =>
    `بلغت الحقول الحد الأعلى ${written(most)} مع المؤرشفة. أعد حقلًا مؤرشفًا بدل حقل جديد.`,
  too_many_tags: ({ most }) => `تزيد وسوم جهة الاتصال على الحد الأعلى: ${written(most)}`,
  no_such_tag: ({ tag }) => `لا تحمل أي جهة اتصال الوسم ${quotedInArabic(tag)}.`,
  tag_job_under_way: () => 'يجري الآن تغيير وسم آخر أو حذفه. أعد المحاولة بعد انتهائه.',
  search_too_short: ({ least }) =>
    `اكتب من الاسم ما لا يقل عن ${written(least)} من الحروف، أو رقمًا أو بريدًا أو معرّفًا كاملًا`,
  merge_with_itself: () => 'هي جهة الاتصال نفسها: اختر أخرى',
  not_merged_into_this: () => 'ليست جهة اتصال دُمجت في هذه الجهة',
  merged_contact_erased: () => 'مُحيت جهة الاتصال نهائيًا، ومُحي معها ما حُفظ عن الجهات التي دُمجت فيها.',
  too_many_to_compare: () =>
    'جهات الاتصال أكثر من أن تُقارن في الوقت المتاح. أعد المحاولة حين يخف الضغط.',
  no_such_segment: () => 'لا توجد شريحة كهذه.',
  segment_name_taken: () => 'هذا الاسم لشريحة أخرى',
  too_many_segments: ({ most }) => `بلغت الشرائح الحد الأعلى ${written(most)}. احذف واحدة أولًا.`,
  too_many_to_count: () =>
    'جهات الاتصال أكثر من أن تُعد في الوقت المتاح. ضيّق المرشّح، أو أعد المحاولة لاحقًا.',
  whole_reads_at_once: ({ most }) =>
    `الحد الأعلى لعمليات العد والبحث في كل جهات الاتصال في وقت واحد: ${written(most)}. أعد المحاولة بعد انتهاء إحداها.`,
  no_such_import: () => 'لا توجد عملية استيراد كهذه.',
  import_too_large: ({ most }) =>
    `الملف أكبر من الحد الأعلى: ${countedInArabic(most, 'byte')}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.`,
  import_body_type: () =>
    `أرسل الملف نفسه محتوى للطلب، مع ${inArabic('content-type: text/csv')} أو نوع ملفات ${inArabic('.xlsx')}.`,
  import_wrong_encoding: () =>
    `لا تُقرأ حروف الملف بهذا الترميز. اختر ترميزًا آخر، أو احفظ الملف بصيغة ${inArabic('CSV UTF-8')} أو ${inArabic('.xlsx')}.`,
  import_no_csv: () => 'لا يُختار فاصل ولا ترميز لملف جداول.',
  import_sheet_broken: () =>
    `تعذّرت قراءة ملف الجداول: هو تالف أو محمي بكلمة مرور. احفظه بصيغة ${inArabic('.xlsx')} بلا كلمة مرور، أو بصيغة ${inArabic('CSV UTF-8')}.`,
  import_sheet_too_large: () =>
    `الورقة الأولى في ملف الجداول أكبر من أن تُقرأ. قسّمها، أو احفظها بصيغة ${inArabic('CSV UTF-8')}.`,
  import_without_rows: () => 'ليس في الملف صفوف: الصف الأول لأسماء الأعمدة.',
  import_header_twice: ({ header }) =>
    `في الملف عمودان باسم ${quotedInArabic(header)}. غيّر اسم أحدهما.`,
  import_too_many_headers: ({ most }) => `أعمدة الملف أكثر من الحد الأعلى: ${written(most)}`,
  import_unknown_header: ({ header }) => `ليس من أعمدة الملف: ${quotedInArabic(header)}`,
  import_needs_column: () => 'يلزم عمود للاسم أو الهاتف أو البريد على الأقل',
  import_too_many_rows: ({ most }) =>
    `صفوف الملف أكثر من الحد الأعلى: ${written(most)}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.`,
  import_quote_open: () => 'فيه علامة اقتباس لا تُغلق قبل الصف التالي: أغلقها أو احذفها',
  import_line_break: () => 'فيه سطر جديد: اكتبه في سطر واحد',
  import_phone_rounded: () =>
    `اختصره برنامج الجداول، مثل ${inArabic('9.66501E+11')}، فضاعت أرقامه الأخيرة: اجعل العمود نصًا وأدخل الرقم من جديد ثم احفظ الملف`,
  import_phone_several: () => 'فيه عدة أرقام: أبقِ واحدًا منها',
  import_double: ({ row }) => `هو نفسه جهة الاتصال في الصف ${written(row)}: يُدمج الصفان في واحد`,
  email_of_another: () =>
    'هو بريد جهة اتصال أخرى، والرقم هو المعتمد. راجع الاثنتين وادمجهما إن كانتا لعميل واحد',
  email_of_several: () =>
    'هو بريد عدة جهات اتصال، وليس في الصف رقم يبيّن أيها المقصودة: أضف الرقم، أو غيّر جهة الاتصال يدويًا',
  import_stays_out: () => 'لا يعيد الاستيراد أحدًا إلى الرسائل: تبقى موقوفة',
  import_not_checked: () => 'افحص الملف أولًا واطّلع على النتيجة.',
  import_over: () => 'انتهت عملية الاستيراد.',
  import_under_way: () => 'يجري الآن الفحص أو الاستيراد. ألغه أولًا.',
  search_too_wide: () => 'النتائج أكثر من اللازم: اكتب مزيدًا من الاسم',
}
