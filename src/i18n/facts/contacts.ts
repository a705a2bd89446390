import type { ContactFacts } from '../../core/facts/contacts.ts'
import { defineFacts } from '../define-facts.ts'

export const contactFacts = defineFacts<ContactFacts>()({
  en: {
    no_such_contact: 'No contact with this ID.',
    no_such_contact_field: 'No custom field with this ID.',
    contact_has_number:
      'Another contact already has this number. Open it, or merge the two if they’re the same customer.',
    contact_nameless:
      'is required unless there’s a phone number or email; without any of them the contact couldn’t be found again',
    field_not_number: 'must be a number, such as 12 or 12.5',
    field_not_date: 'must be a date, such as 2026-11-21',
    unknown_contact_field: 'isn’t a custom field of this company, or is archived: "{key}"',
    contact_field_key_taken: 'is already used by another field, which may be archived',
    wrong_field_key:
      'must start with a lower-case letter and contain only a–z, 0–9 and _, up to 40 characters',
    choices_needed: 'is required: a choice field needs at least one',
    choices_not_wanted: 'applies only to choice fields',
    too_many_contact_fields:
      'You already have {max} custom fields, including archived ones. Restore an archived field instead.',
    too_many_tags: 'would give the contact more than {max} tags',
    no_such_tag: 'No contact has the tag "{tag}".',
    tag_job_under_way: 'Another tag is being renamed or deleted. Try again when that’s done.',
    search_too_short:
      'needs at least {min} letters of a name, or a complete number, email address or ID',
    merge_with_itself: 'is the same contact. Choose another one',
    not_merged_into_this: 'isn’t a contact that was merged into this one',
    merged_contact_erased:
      'The contact was erased, along with everything kept from the contacts merged into it.',
    too_many_to_compare:
      'There are too many contacts to compare in time. Try again when the service is less busy.',
    no_such_segment: 'No segment with this ID.',
    segment_name_taken: 'is already used by another segment',
    too_many_segments: 'You already have {max} segments, the maximum. Delete one first.',
    too_many_to_count:
      'There are too many contacts to count in time. Narrow the filter, or try again later.',
    whole_reads_at_once:
      'At most {max} counts or searches across all contacts can run at once. Try again when one has finished.',
    no_such_import: 'No import with this ID.',
    import_too_large:
      'The file is larger than {max} bytes. Split it and import the parts one after another.',
    import_body_type:
      'Send the file itself as the body, with the Content-Type of a CSV file (text/csv) or of an .xlsx workbook.',
    import_wrong_encoding:
      'The file’s letters can’t be read in this encoding. Choose another encoding, or save the file as “CSV UTF-8” or .xlsx.',
    import_no_csv: 'Delimiter and encoding can’t be set for a workbook.',
    import_sheet_broken:
      'The workbook can’t be read because it’s damaged or has a password. Save it as .xlsx without a password, or as “CSV UTF-8”.',
    import_sheet_too_large:
      'The first sheet of the workbook is too large. Split it, or save it as “CSV UTF-8”.',
    import_without_rows: 'The file has no rows below the column names.',
    import_header_twice: 'Two columns are named "{header}". Rename one of them.',
    import_too_many_headers: 'The file has more than {max, plain} columns.',
    import_unknown_header: 'isn’t a column in the file: "{header}"',
    import_needs_column: 'needs a column for at least one of name, phone and email',
    import_too_many_rows:
      'The file has more than {max} rows. Split it and import the parts one after another.',
    import_quote_open:
      'has a quotation mark that isn’t closed before the next row. Close or remove it',
    import_line_break: 'contains a line break. Write it on one line',
    import_phone_rounded:
      'was shortened by a spreadsheet, such as 9.66501E+11, and its last digits are lost. Format the column as text, enter the number again and save the file',
    import_phone_several: 'contains several numbers. Keep one of them',
    import_double: 'is the same contact as row {row, plain}, so both rows are combined into one',
    email_of_another:
      'is the email address of another contact, so the phone number decides. Review both contacts, and merge them if they’re the same customer',
    email_of_several:
      'is the email address of several contacts, and the row has no phone number to tell them apart. Add the number, or update the contact manually',
    import_stays_out: 'can’t opt anyone back in, so the contact stays opted out',
    import_row_nameless:
      'has no name, phone number or email, so the contact couldn’t be found again',
    import_cell: '{column} {said, unchanged}.',
    import_row: 'The row {said, unchanged}.',
    import_not_checked: 'Check the import first, and review the result.',
    import_over: 'The import has already finished.',
    import_under_way: 'The import is being checked or is running. Cancel it first.',
    search_too_wide: 'matches too many contacts. Enter more of the name',
  },
  ar: {
    no_such_contact: 'جهة الاتصال غير موجودة.',
    no_such_contact_field: 'هذا الحقل غير موجود.',
    contact_has_number:
      'هذا الرقم لجهة اتصال أخرى بالفعل. افتحها، أو ادمج الاثنتين إن كانتا لعميل واحد.',
    contact_nameless: 'يلزم اسم أو هاتف أو بريد إلكتروني، وإلا تعذّر العثور على جهة الاتصال لاحقًا',
    field_not_number: 'اكتب رقمًا مثل `12` أو `12.5`',
    field_not_date: 'اكتب تاريخًا مثل `2026-11-21`',
    unknown_contact_field: 'ليس من حقول جهات الاتصال في هذا المشروع، أو أنه مؤرشف: «{key}»',
    contact_field_key_taken: 'المفتاح مستخدم في حقل آخر، وقد يكون مؤرشفًا',
    wrong_field_key: 'يبدأ بحرف لاتيني صغير، وفيه `a-z 0-9 _` فقط، والحد الأقصى للأحرف `40`',
    choices_needed: 'يلزم خيار واحد على الأقل لحقل من نوع الخيارات',
    choices_not_wanted: 'الخيارات لحقول من نوع الخيارات فقط',
    too_many_contact_fields:
      'بلغت الحقول الحد الأقصى {max}، بما فيها المؤرشفة. ألغِ أرشفة حقل بدلًا من إضافة حقل جديد.',
    too_many_tags: 'تجاوزت وسوم جهة الاتصال الحد الأقصى: {max}',
    no_such_tag: 'لا تحمل أي جهة اتصال الوسم «{tag}».',
    tag_job_under_way: 'يجري الآن تغيير وسم آخر أو حذفه. أعد المحاولة بعد انتهائه.',
    search_too_short: 'اكتب أحرفًا من الاسم لا يقل عددها عن {min}، أو رقمًا أو بريدًا أو معرّفًا كاملًا',
    merge_with_itself: 'هذه جهة الاتصال نفسها: اختر أخرى',
    not_merged_into_this: 'ليست جهة اتصال مدموجة في هذه الجهة',
    merged_contact_erased: 'مُحيت جهة الاتصال نهائيًا، ومُحي معها ما حُفظ عن الجهات التي دُمجت فيها.',
    too_many_to_compare:
      'عدد جهات الاتصال أكبر من أن يُقارن في الوقت المتاح. أعد المحاولة عندما يخف الضغط.',
    no_such_segment: 'شريحة العملاء هذه غير موجودة.',
    segment_name_taken: 'الاسم مستخدم في شريحة عملاء أخرى',
    too_many_segments: 'بلغت شرائح العملاء الحد الأقصى {max}. احذف واحدة أولًا.',
    too_many_to_count:
      'عدد جهات الاتصال أكبر من أن يُحسب في الوقت المتاح. ضيّق التصفية، أو أعد المحاولة لاحقًا.',
    whole_reads_at_once:
      'الحد الأقصى لعمليات الحساب والبحث في كل جهات الاتصال في وقت واحد: {max}. أعد المحاولة بعد انتهاء إحداها.',
    no_such_import: 'عملية الاستيراد هذه غير موجودة.',
    import_too_large: 'الملف أكبر من الحد الأقصى: {max, byte}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.',
    import_body_type:
      'أرسل الملف نفسه محتوى للطلب، مع `content-type: text/csv` أو نوع ملفات `.xlsx`.',
    import_wrong_encoding:
      'لا يمكن قراءة حروف الملف بهذا الترميز. اختر ترميزًا آخر، أو احفظ الملف بصيغة `CSV UTF-8` أو `.xlsx`.',
    import_no_csv: 'لا فاصل ولا ترميز لملف جداول.',
    import_sheet_broken:
      'تعذّرت قراءة ملف الجداول، فهو تالف أو محمي بكلمة مرور. احفظه بصيغة `.xlsx` بلا كلمة مرور، أو بصيغة `CSV UTF-8`.',
    import_sheet_too_large:
      'الورقة الأولى في ملف الجداول كبيرة جدًا. قسّمها، أو احفظها بصيغة `CSV UTF-8`.',
    import_without_rows: 'لا صفوف في الملف: يُقرأ الصف الأول كأسماء للأعمدة.',
    import_header_twice: 'في الملف عمودان باسم «{header}». غيّر اسم أحدهما.',
    import_too_many_headers: 'تجاوزت أعمدة الملف الحد الأقصى: {max}',
    import_unknown_header: 'ليس من أعمدة الملف: «{header}»',
    import_needs_column: 'يلزم عمود للاسم أو الهاتف أو البريد على الأقل',
    import_too_many_rows:
      'تجاوزت صفوف الملف الحد الأقصى: {max}. قسّمه واستورد الأجزاء واحدًا بعد الآخر.',
    import_quote_open: 'فيه علامة اقتباس لم تُغلق قبل الصف التالي. أغلقها أو احذفها',
    import_line_break: 'فيه سطر جديد. اكتبه في سطر واحد',
    import_phone_rounded:
      'اختصره برنامج الجداول، مثل `9.66501E+11`، فضاعت أرقامه الأخيرة. اجعل العمود نصًا، وأدخل الرقم من جديد، ثم احفظ الملف',
    import_phone_several: 'فيه أكثر من رقم. أبقِ واحدًا منها',
    import_double: 'جهة الاتصال نفسها في الصف {row}، ويُدمج الصفان في واحد',
    email_of_another:
      'هو بريد جهة اتصال أخرى، والمعتمد هو رقم الهاتف. راجع الجهتين، وادمجهما إن كانتا لعميل واحد',
    email_of_several:
      'هو بريد أكثر من جهة اتصال، وليس في الصف رقم هاتف يحدد المقصودة. أضف الرقم، أو عدّل جهة الاتصال يدويًا',
    import_stays_out: 'لا يستأنف الاستيراد الرسائل، فتبقى موقوفة',
    import_row_nameless: 'لا اسم ولا هاتف ولا بريد إلكتروني، فلا يمكن العثور على جهة الاتصال لاحقًا',
    import_cell: '{column}: {said, unchanged}.',
    import_row: 'في هذا الصف: {said, unchanged}.',
    import_not_checked: 'افحص الملف أولًا واطّلع على النتيجة.',
    import_over: 'انتهت عملية الاستيراد.',
    import_under_way: 'يجري الآن الفحص أو الاستيراد. ألغه أولًا.',
    search_too_wide: 'النتائج كثيرة: اكتب مزيدًا من الاسم',
  },
})
