import type { ContactFacts } from '../../core/facts/contacts.ts'
import { countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_CONTACTS: Catalog<ContactFacts> = {
  no_such_contact: () => 'جهة الاتصال غير موجودة.',
  no_such_contact_field: () => 'هذا الحقل غير موجود.',
  contact_has_number: () =>
    'هذا الرقم لجهة اتصال أخرى بالفعل. افتحها، أو ادمج الاثنتين إن كانتا لعميل واحد.',
  contact_nameless: () => 'يلزم اسم أو هاتف أو بريد إلكتروني، وإلا تعذّر العثور على جهة الاتصال لاحقًا',
  field_not_number: () => `اكتب رقمًا مثل ${inArabic('12')} أو ${inArabic('12.5')}`,
  field_not_date: () => `اكتب تاريخًا مثل ${inArabic('2026-11-21')}`,
  unknown_contact_field: ({ key }) =>
    `ليس من حقول جهات الاتصال في هذا المشروع، أو أنه مؤرشف: ${quotedInArabic(key)}`,
  contact_field_key_taken: () => 'المفتاح مستخدم في حقل آخر، وقد يكون مؤرشفًا',
  wrong_field_key: () =>
    `يبدأ بحرف لاتيني صغير، وفيه ${inArabic('a-z 0-9 _')} فقط، والحد الأقصى للأحرف ${inArabic('40')}`,
  choices_needed: () => 'يلزم خيار واحد على الأقل لحقل من نوع الخيارات',
  choices_not_wanted: () => 'الخيارات لحقول من نوع الخيارات فقط',
  too_many_contact_fields: ({ max }) =>
    `بلغت الحقول الحد الأقصى ${written(max)}، بما فيها المؤرشفة. ألغِ أرشفة حقل بدلًا من إضافة حقل جديد.`,
  too_many_tags: ({ max }) => `تجاوزت وسوم جهة الاتصال الحد الأقصى: ${written(max)}`,
  no_such_tag: ({ tag }) => `لا تحمل أي جهة اتصال الوسم ${quotedInArabic(tag)}.`,
  tag_job_under_way: () => 'يجري الآن تغيير وسم آخر أو حذفه. أعد المحاولة بعد انتهائه.',
  search_too_short: ({ min }) =>
    `اكتب أحرفًا من الاسم لا يقل عددها عن ${written(min)}، أو رقمًا أو بريدًا أو معرّفًا كاملًا`,
  merge_with_itself: () => 'هذه جهة الاتصال نفسها: اختر أخرى',
  not_merged_into_this: () => 'ليست جهة اتصال مدموجة في هذه الجهة',
  merged_contact_erased: () => 'مُحيت جهة الاتصال نهائيًا، ومُحي معها ما حُفظ عن الجهات التي دُمجت فيها.',
  too_many_to_compare: () =>
    'عدد جهات الاتصال أكبر من أن يُقارن في الوقت المتاح. أعد المحاولة عندما يخف الضغط.',
  no_such_segment: () => 'شريحة العملاء هذه غير موجودة.',
  segment_name_taken: () => 'الاسم مستخدم في شريحة عملاء أخرى',
  too_many_segments: ({ max }) => `بلغت شرائح العملاء الحد الأقصى ${written(max)}. احذف واحدة أولًا.`,
  too_many_to_count: () =>
    'عدد جهات الاتصال أكبر من أن يُحسب في الوقت المتاح. ضيّق التصفية، أو أعد المحاولة لاحقًا.',
  whole_reads_at_once: ({ max }) =>
    `الحد الأقصى لعمليات الحساب والبحث في كل جهات الاتصال في وقت واحد: ${written(max)}. أعد المحاولة بعد انتهاء إحداها.`,
  no_such_import: () => 'عملية الاستيراد هذه غير موجودة.',
  import_too_large: ({ max }) =>
    `الملف أكبر من الحد الأقصى: ${countedInArabic(max, 'byte')}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.`,
  import_body_type: () =>
    `أرسل الملف نفسه محتوى للطلب، مع ${inArabic('content-type: text/csv')} أو نوع ملفات ${inArabic('.xlsx')}.`,
  import_wrong_encoding: () =>
    `لا يمكن قراءة حروف الملف بهذا الترميز. اختر ترميزًا آخر، أو احفظ الملف بصيغة ${inArabic('CSV UTF-8')} أو ${inArabic('.xlsx')}.`,
  import_no_csv: () => 'لا فاصل ولا ترميز لملف جداول.',
  import_sheet_broken: () =>
    `تعذّرت قراءة ملف الجداول، فهو تالف أو محمي بكلمة مرور. احفظه بصيغة ${inArabic('.xlsx')} بلا كلمة مرور، أو بصيغة ${inArabic('CSV UTF-8')}.`,
  import_sheet_too_large: () =>
    `الورقة الأولى في ملف الجداول كبيرة جدًا. قسّمها، أو احفظها بصيغة ${inArabic('CSV UTF-8')}.`,
  import_without_rows: () => 'لا صفوف في الملف: يُقرأ الصف الأول كأسماء للأعمدة.',
  import_header_twice: ({ header }) =>
    `في الملف عمودان باسم ${quotedInArabic(header)}. غيّر اسم أحدهما.`,
  import_too_many_headers: ({ max }) => `تجاوزت أعمدة الملف الحد الأقصى: ${written(max)}`,
  import_unknown_header: ({ header }) => `ليس من أعمدة الملف: ${quotedInArabic(header)}`,
  import_needs_column: () => 'يلزم عمود للاسم أو الهاتف أو البريد على الأقل',
  import_too_many_rows: ({ max }) =>
    `تجاوزت صفوف الملف الحد الأقصى: ${written(max)}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.`,
  import_quote_open: () => 'فيه علامة اقتباس لم تُغلق قبل الصف التالي. أغلقها أو احذفها',
  import_line_break: () => 'فيه سطر جديد. اكتبه في سطر واحد',
  import_phone_rounded: () =>
    `اختصره برنامج الجداول، مثل ${inArabic('9.66501E+11')}، فضاعت أرقامه الأخيرة. اجعل العمود نصًا، وأدخل الرقم من جديد، ثم احفظ الملف`,
  import_phone_several: () => 'فيه أكثر من رقم. أبقِ واحدًا منها',
  import_double: ({ row }) => `جهة الاتصال نفسها في الصف ${written(row)}، ويُدمج الصفان في واحد`,
  email_of_another: () =>
    'هو بريد جهة اتصال أخرى، والمعتمد هو رقم الهاتف. راجع الجهتين، وادمجهما إن كانتا لعميل واحد',
  email_of_several: () =>
    'هو بريد أكثر من جهة اتصال، وليس في الصف رقم هاتف يحدد المقصودة. أضف الرقم، أو عدّل جهة الاتصال يدويًا',
  import_stays_out: () => 'الاستيراد لا يستأنف الرسائل: تبقى موقوفة',
  import_not_checked: () => 'افحص الملف أولًا واطّلع على النتيجة.',
  import_over: () => 'انتهت عملية الاستيراد.',
  import_under_way: () => 'يجري الآن الفحص أو الاستيراد. ألغه أولًا.',
  search_too_wide: () => 'النتائج كثيرة: اكتب مزيدًا من الاسم',
}
