import type { ContactFacts } from '../../facts/contacts.ts'
import { countedInArabic, written } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_CONTACTS: Sentences<ContactFacts> = {
  no_such_contact: () => 'لا توجد جهة اتصال كهذه.',
  no_such_contact_field: () => 'لا يوجد حقل كهذا.',
  contact_has_number: () => 'هذا الرقم لجهة اتصال أخرى: ابحث عنها بالرقم.',
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
  import_body_type: () => `أرسل الملف نفسه محتوى للطلب، مع ${inArabic('content-type: text/csv')}.`,
  import_not_utf8: () =>
    `الملف ليس بترميز ${inArabic('UTF-8')}. احفظه باختيار ${inArabic('CSV UTF-8')} كي لا تضيع الأسماء العربية.`,
  import_without_rows: () => 'ليس في الملف صفوف: الصف الأول لأسماء الأعمدة.',
  import_header_twice: ({ header }) =>
    `في الملف عمودان باسم ${quotedInArabic(header)}. غيّر اسم أحدهما.`,
  import_too_many_headers: ({ most }) => `أعمدة الملف أكثر من الحد الأعلى: ${written(most)}`,
  import_unknown_header: ({ header }) => `ليس من أعمدة الملف: ${quotedInArabic(header)}`,
  import_needs_column: () => 'يلزم عمود للاسم أو الهاتف أو البريد على الأقل',
  import_too_many_rows: ({ most }) =>
    `صفوف الملف أكثر من الحد الأعلى: ${written(most)}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.`,
  import_file_broken: ({ row }) =>
    `لا يمكن قراءة الملف بعد الصف ${written(row)}: فيه علامة اقتباس لم تُغلق، أو الصف أطول من اللازم.`,
  import_phone_rounded: () =>
    `قرّب برنامج الجداول الرقم، مثل ${inArabic('9.66E+11')}: اجعل العمود نصًا واحفظ الملف من جديد`,
  import_double: ({ row }) => `هو نفسه جهة الاتصال في الصف ${written(row)}، والمعتمد ذلك الصف`,
  import_stays_out: () => 'لا يعيد الاستيراد أحدًا إلى الرسائل: تبقى موقوفة',
  import_not_checked: () => 'افحص الملف أولًا واطّلع على النتيجة.',
  import_over: () => 'انتهت عملية الاستيراد.',
  import_under_way: () => 'يجري الآن الفحص أو الاستيراد. ألغه أولًا.',
  search_too_wide: () => 'النتائج أكثر من اللازم: اكتب مزيدًا من الاسم',
}
