import type { FieldFacts, FieldType, Unit } from '../../core/facts/fields.ts'
import { countedInArabic, written, type ArabicNoun } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const TYPES: Record<FieldType, string> = {
  string: 'نصًا',
  number: 'رقمًا',
  whole_number: 'رقمًا صحيحًا',
  boolean: 'true أو false',
  array: 'قائمة',
  object: 'كائن JSON',
  null: 'null',
  date: 'تاريخًا',
  other: 'من نوع آخر',
}

const NOUNS: Record<Exclude<Unit, 'number'>, ArabicNoun> = {
  characters: 'character',
  bytes: 'byte',
  items: 'item',
  fields: 'field',
  steps: 'step',
  variables: 'variable',
}

const amount = (limit: number, unit: Unit): string =>
  unit === 'number' ? written(limit) : countedInArabic(limit, NOUNS[unit])

const between = (min: number, max: number): string =>
  `الطول المطلوب من ${written(min)} إلى ${written(max)} بعدد الأحرف`

const VARIABLE = inArabic('{{vars.name}}')
const IDENTITY = inArabic('{{identity}}')

/** Messages below a form field. */
export const AR_FIELDS: Catalog<FieldFacts> = {
  missing: () => 'هذا الحقل مطلوب',
  unknown_field: () => 'ليس من حقول هذا الطلب',
  wrong_type: ({ type }) => `يجب أن تكون القيمة ${TYPES[type]}`,
  too_small: ({ min, unit }) => `الحد الأدنى: ${amount(min, unit)}`,
  too_big: ({ max, unit }) => `الحد الأقصى: ${amount(max, unit)}`,
  too_short: ({ min, max, count }) => `${between(min, max)}، والعدد الآن ${written(count)}`,
  too_long: ({ min, max, count }) => `${between(min, max)}، والعدد الآن ${written(count)}`,
  wrong_length: ({ min, max }) => between(min, max),
  not_a_choice: ({ choices }) =>
    choices.length > 1
      ? `القيم المقبولة: ${choices.map(inArabic).join('، ')}`
      : `القيمة المقبولة: ${choices.map(inArabic).join('')}`,
  no_known_form: () => 'صيغة غير معروفة',
  not_a_multiple: ({ of }) => `يجب أن تكون القيمة من مضاعفات ${written(of)}`,
  wrong: () => 'قيمة غير مقبولة',
  wrong_email: () => `اكتب بريدًا إلكترونيًا مثل ${inArabic('name@example.com')}`,
  wrong_url: () => 'اكتب رابطًا',
  wrong_id: () => 'اكتب معرّفًا',
  wrong_time: () => `اكتب وقتًا مثل ${inArabic('2026-11-21T09:00:00Z')}`,
  wrong_event_id: () => `اكتب ${inArabic('evt_')} ثم 32 خانة ست عشرية، كما في الحدث`,
  wrong_cursor: () => `يجب أن يكون قيمة ${inArabic('nextCursor')} من صفحة سابقة`,
  wrong_step_id: () => `من 1 إلى 64 خانة: أحرف لاتينية وأرقام و${inArabic('_')} و${inArabic('-')}`,
  wrong_contact_field_key: () =>
    `تبدأ بحرف لاتيني صغير، وفيها أحرف صغيرة وأرقام و${inArabic('_')} فقط، والحد الأقصى 40`,
  wrong_wall_time: () => `اكتب وقتًا مثل ${inArabic('09:00')}، حتى ${inArabic('24:00')}`,
  wrong_time_zone: () => `اكتب منطقة زمنية باسمها في IANA، مثل ${inArabic('Asia/Riyadh')}`,
  opening_ends_before_it_begins: () => 'يجب أن تكون النهاية بعد البداية',
  openings_overlap: () =>
    'تتداخل مع ساعات أخرى في الأسبوع. ابدأها عند انتهاء الأخرى، أو اجعلهما فترة واحدة',
  password_common: () =>
    'سهلة التخمين، لأنها من الكلمات أو الأسماء أو المفاتيح المتتالية أو السنوات الشائعة. استخدم عدة كلمات لا تجتمع عادة',
  wrong_variable_name: () =>
    `يبدأ بحرف لاتيني أو ${inArabic('_')}، وفيه أحرف لاتينية وأرقام و${inArabic('_')} فقط`,
  wrong_tool_name: () => `يبدأ بحرف لاتيني صغير، وفيه ${inArabic('a-z 0-9 _')} فقط`,
  wrong_bot_token: () => 'اكتب الرمز كما ورد من BotFather: أرقام ثم نقطتان ثم أحرف وأرقام',
  wrong_webhook_secret: () => 'تُقبل الأحرف A إلى Z والأرقام و_ و- فقط',
  wrong_provider_id: () => 'اكتب الأرقام كما تظهر في واتساب',
  wrong_phone_digits: () => `اكتب الأرقام مع رمز الدولة وبدون ${inArabic('+')}`,
  wrong_country: () => `اكتب رمز الدولة من حرفين، مثل ${inArabic('SA')}`,
  has_nul: () => `فيه الخانة NUL (${inArabic('%00')})، وهي غير مقبولة`,
  not_printable: () => 'لا تُقبل المسافات ولا الأسطر الجديدة ولا الأحرف خارج ASCII',
  value_twice: () => 'القيمة نفسها مكررة',
  code_wrong: () => 'الرمز غير صحيح أو سبق استخدامه',

  label_taken: () => 'التسمية مستخدمة في حقل آخر',
  kept_name_taken: () => 'الاسم مستخدم لقيمة أخرى',
  parameter_name_taken: () => 'الاسم مستخدم لمُدخل آخر',
  kept_name_reserved: () => 'هذا الاسم محجوز لرمز حالة الرد. اختر اسمًا آخر',

  unknown_step: ({ step }) => `لا توجد خطوة باسم ${quotedInArabic(step)}`,
  unknown_connection: () => 'ليس من الأنظمة المرتبطة بهذا المشروع',
  unknown_channel: () => 'ليست من قنوات هذا المشروع',
  contact_or_phone: () => 'يلزم contactId أو phone، أحدهما فقط',
  unknown_contact: () => 'ليس من جهات الاتصال في هذا المشروع',
  credential_needed_again: () => 'أدخل بيانات الدخول مرة أخرى: الرابط الأساسي لخادم آخر',
  country_needed: () => 'الدولة مطلوبة، فلا يمكن تحديدها من الرقم',
  channel_taken: () => 'هذه البيانات لقناة مرتبطة بالفعل',
  channel_secret_needed_again: () => 'مطلوب مرة أخرى، لأن معرّف القناة لدى المزوّد تغيّر',
  type_without_channels: () => 'لا يمكن ربط قناة من هذا النوع',
  customer_needed: () => `هذا الحقل أو ${inArabic('contactId')} مطلوب: الإجراء يخص العميل`,
  contact_without: ({ what }) => `لا توجد لدى جهة الاتصال هذه قيمة ${inArabic(what)}. اختر أخرى`,
  invalid_phone: () => 'اكتب رقم هاتف مع رمز الدولة',

  secret_too_long: ({ max }) => `الحد الأقصى: ${countedInArabic(max, 'character')}`,
  pair_too_long: ({ max }) => `الحد الأقصى مع اسم المستخدم: ${countedInArabic(max, 'character')}`,
  username_wrong: () => `يجب ألا يكون فارغًا وألا يحتوي على ${inArabic(':')}`,
  control_character: () => 'فيه سطر جديد أو خانة تحكّم أخرى',
  not_ascii: () => 'فيه حرف لا تقبله الترويسة: تُقبل أحرف ASCII فقط',

  path_empty: () => `الموضع فارغ: اكتب اسمًا أو رقمًا واحدًا على الأقل، مثل ${inArabic('order.id')}`,
  path_too_long: ({ max }) => `الحد الأقصى للموضع: ${countedInArabic(max, 'character')}`,
  path_too_many_steps: ({ max }) => `الحد الأقصى لأجزاء الموضع: ${written(max)}`,
  path_space: () => 'في الموضع مسافة: لا يمكن الوصول إلى اسم فيه مسافة',
  path_empty_name: () => 'في الموضع اسم ناقص: نقطتان متتاليتان، أو نقطة في أوله أو آخره',
  path_bad_bracket: () =>
    `في الموضع قوس لم يُغلق أو ليس في مكانه: اكتب ${inArabic('items[0].name')}`,
  path_bad_position: () => `بين القوسين قيمة غير رقمية: اكتب أرقامًا، مثل ${inArabic('[0]')}`,

  url_empty: () => `الرابط مطلوب. اكتب رابطًا يبدأ بـ ${inArabic('https://')}`,
  url_too_long: ({ max }) => `الحد الأقصى للرابط: ${countedInArabic(max, 'character')}`,
  url_bad_character: () =>
    `في الرابط مسافة أو ${inArabic('\\')} أو خانة تحكّم: اكتبها مرمّزة بالعلامة ${inArabic('%')}`,
  url_not_https: () => `يجب أن يبدأ الرابط بـ ${inArabic('https://')}`,
  url_userinfo: () => 'لا يُقبل في الرابط اسم مستخدم أو كلمة مرور',
  url_query: () => `لا يُقبل في الرابط ما بعد ${inArabic('?')}`,
  url_fragment: () => `لا يُقبل في الرابط ما بعد ${inArabic('#')}`,
  url_dot_segment: () => `لا يُقبل ${inArabic('.')} أو ${inArabic('..')} جزءًا من الرابط`,
  url_invalid: () => 'هذا ليس رابطًا: راجع اسم الخادم والمنفذ',
  url_port: () => 'ترفض المتصفحات هذا المنفذ لأنه لخدمة من نوع آخر. المعتاد هو 443',
  url_ip_spelling: () =>
    `العنوان مكتوب بشكل غير معتاد: اكتبه بأربعة أرقام، مثل ${inArabic('203.0.113.7')}`,
  url_address: () => 'يشير الرابط إلى عنوان غير عام: يجب أن يكون متاحًا من الإنترنت',
  url_no_dot: () => `يلزم اسم خادم فيه نقطة، مثل ${inArabic('shop.example.com')}`,
  url_host: () => 'اسم الخادم غير مقبول',
  url_suffix: () => 'اسم الخادم لشبكة خاصة: يلزم اسم عام',
  url_not_found: () => 'تعذّر العثور على عنوان الخادم: راجع كتابة اسمه وسجلات DNS ثم أعد المحاولة',

  no_slash: () => `يجب أن يبدأ بـ ${inArabic('/')}`,
  two_slashes: () => `يجب أن يبدأ بـ ${inArabic('/')} واحدة فقط`,
  query: () => `لا يُقبل ما بعد ${inArabic('?')} هنا: للمعاملات حقول خاصة بها`,
  fragment: () => `لا تُقبل العلامة ${inArabic('#')}`,
  bad_character: () => `فيه ${inArabic('\\')} أو خانة تحكّم`,
  dot_segment: () => `لا يُقبل ${inArabic('.')} أو ${inArabic('..')} جزءًا منه`,
  broken_placeholder: () => `فيه ${inArabic('{{')} بدون متغيّر مثل ${VARIABLE}`,
  unknown_placeholder: ({ placeholder }) =>
    `المتغيّر ${inArabic(`{{${placeholder}}}`)} غير معروف هنا`,
  placeholder_in_name: () => 'المتغيّرات مقبولة في القيم فقط، لا في الأسماء',
  placeholder_outside_quotes: () =>
    `فيه متغيّر خارج علامتي الاقتباس: اكتب ${inArabic('"{{vars.name}}"')}`,
  not_json: () => 'ليس JSON',
  not_a_container: () => 'يجب أن يكون كائن JSON أو قائمة',
  too_large: ({ max }) => `الحد الأقصى: ${countedInArabic(max, 'byte')}`,
  no_body: ({ method }) => `يجب أن يبقى فارغًا: طلب ${inArabic(method)} بلا محتوى`,
  bad_name_character: () => 'فيه حرف غير مقبول في اسم الترويسة',
  not_settable: () => 'لا يمكن تعيين هذه الترويسة: تكتبها الخدمة بنفسها أو لا ترسلها',
  twice: () => 'مكرر',
  parameter_not_used: ({ name }) =>
    `غير مستخدم: اكتب ${inArabic(`{{args.${name}}}`)} في الطلب، أو احذفه`,
  names_customer: () => `يسأل عن هوية العميل: اختر البيان الذي يُعرف به العميل، واكتب ${IDENTITY}`,
  no_identity: () => 'يلزم بيان العميل: اختر البيان الذي يُعرف به العميل',
  identity_not_used: () =>
    `غير مستخدم: اكتب ${IDENTITY} في الطلب، أو أضف فحص الملكية، أو اختر «لا يخص عميلًا»`,
}
