import type { FieldFacts, FieldType, Unit } from '../../facts/fields.ts'
import { countedInArabic, written, type ArabicNoun } from '../counted.ts'
import { inArabic, quotedInArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

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

const between = (least: number, most: number): string =>
  `الطول المطلوب من ${written(least)} إلى ${written(most)} بعدد الأحرف`

const VARIABLE = inArabic('{{vars.name}}')
const IDENTITY = inArabic('{{identity}}')

/** Each stands below its field. */
export const AR_FIELDS: Sentences<FieldFacts> = {
  missing: () => 'هذا الحقل مطلوب',
  unknown_field: () => 'ليس من حقول هذا الطلب',
  wrong_type: ({ type }) => `يجب أن تكون القيمة ${TYPES[type]}`,
  too_small: ({ least, unit }) => `الحد الأدنى: ${amount(least, unit)}`,
  too_big: ({ most, unit }) => `الحد الأعلى: ${amount(most, unit)}`,
  too_short: ({ least, most, count }) => `${between(least, most)}، وهو الآن ${written(count)}`,
  too_long: ({ least, most, count }) => `${between(least, most)}، وهو الآن ${written(count)}`,
  wrong_length: ({ least, most }) => between(least, most),
  not_a_choice: ({ choices }) =>
    choices.length > 1
      ? `القيم المقبولة: ${choices.map(inArabic).join('، ')}`
      : `القيمة المقبولة: ${choices.map(inArabic).join('')}`,
  no_known_form: () => 'لا يطابق أيًا من الأشكال المعروفة هنا',
  not_a_multiple: ({ of }) => `يجب أن تكون القيمة من مضاعفات ${written(of)}`,
  wrong: () => 'القيمة غير مقبولة',
  wrong_email: () => `اكتب بريدًا إلكترونيًا مثل ${inArabic('name@example.com')}`,
  wrong_url: () => 'اكتب رابطًا',
  wrong_id: () => 'اكتب معرّفًا',
  wrong_time: () => `اكتب وقتًا مثل ${inArabic('2026-11-21T09:00:00Z')}`,
  wrong_event_id: () => `اكتب ${inArabic('evt_')} ثم 32 خانة ست عشرية، كما في الحدث`,
  wrong_cursor: () => `يجب أن يكون قيمة ${inArabic('nextCursor')} من صفحة سابقة`,
  wrong_step_id: () => `من 1 إلى 64 خانة: حروف لاتينية وأرقام و${inArabic('_')} و${inArabic('-')}`,
  wrong_contact_field_key: () =>
    `تبدأ بحرف لاتيني صغير، وفيها حروف صغيرة وأرقام و${inArabic('_')} فقط، بحد أعلى 40`,
  wrong_wall_time: () => `وقت من اليوم مثل ${inArabic('09:00')}، حتى ${inArabic('24:00')}`,
  wrong_time_zone: () => `منطقة زمنية باسمها في IANA، مثل ${inArabic('Asia/Riyadh')}`,
  opening_ends_before_it_begins: () => 'يجب أن تنتهي بعد أن تبدأ',
  openings_overlap: () =>
    'تتداخل مع ساعات أخرى في الأسبوع: ابدأها عند انتهائها أو اجعلها فترة واحدة',
  password_common: () =>
    'من أول ما يُخمَّن: كلمات وأسماء شائعة وأزرار متتالية وسنوات. استعمل عدة كلمات لا يجمعها أحد',
  wrong_variable_name: () =>
    `يبدأ بحرف لاتيني أو ${inArabic('_')}، وفيه حروف لاتينية وأرقام و${inArabic('_')} فقط`,
  wrong_tool_name: () => `يبدأ بحرف لاتيني صغير، وفيه ${inArabic('a-z 0-9 _')} فقط`,
  wrong_bot_token: () => 'اكتب الرمز كما أعطاه BotFather: أرقام ثم نقطتان ثم حروف وأرقام',
  wrong_webhook_secret: () => 'تُقبل الحروف A إلى Z والأرقام و_ و- فقط',
  wrong_provider_id: () => 'اكتب الأرقام كما تظهر في WhatsApp',
  wrong_phone_digits: () => `اكتب الأرقام مع رمز الدولة ومن دون ${inArabic('+')}`,
  wrong_country: () => `اكتب رمز الدولة من حرفين، مثل ${inArabic('SA')}`,
  has_nul: () => `فيه الخانة NUL (${inArabic('%00')})، وهي غير مقبولة`,
  not_printable: () => 'لا تُقبل المسافات ولا الأسطر الجديدة ولا ما هو خارج ASCII',
  value_twice: () => 'القيمة نفسها مكررة',
  code_wrong: () => 'الرمز غير صحيح أو استُعمل من قبل',

  label_taken: () => 'هذه التسمية لحقل سابق',
  kept_name_taken: () => 'هذا الاسم لقيمة سابقة',
  parameter_name_taken: () => 'هذا الاسم لمُدخل سابق',
  kept_name_reserved: () => 'كل طلب يضع في هذا المتغيّر رمز حالة الرد. يلزم اسم آخر',

  unknown_step: ({ step }) => `لا توجد خطوة باسم ${quotedInArabic(step)}`,
  unknown_connection: () => 'ليس من الأنظمة المرتبطة بهذا المشروع',
  unknown_channel: () => 'ليست من قنوات هذا المشروع',
  contact_or_phone: () => 'يلزم contactId أو phone، أحدهما فقط',
  unknown_contact: () => 'ليس من جهات الاتصال في هذا المشروع',
  credential_needed_again: () => 'بيانات الدخول مطلوبة مرة أخرى: العنوان الأساسي يقود إلى خادم آخر',
  country_needed: () => 'الدولة مطلوبة: لا تُعرف من الرقم',
  channel_taken: () => 'هذه البيانات لقناة مرتبطة من قبل',
  channel_secret_needed_again: () => 'مطلوب مرة أخرى حين يعرف المزوّد القناة باسم آخر',
  type_without_channels: () => 'لا يمكن ربط قناة من هذا النوع',
  customer_needed: () => `هذا الحقل أو ${inArabic('contactId')} مطلوب: الإجراء يخص العميل`,
  contact_without: ({ what }) => `ليس لجهة الاتصال هذه ${inArabic(what)}. اختر أخرى`,
  invalid_phone: () => 'اكتب رقم هاتف مع رمز الدولة',

  secret_too_long: ({ most }) => `الحد الأعلى: ${countedInArabic(most, 'character')}`,
  pair_too_long: ({ most }) => `الحد الأعلى مع اسم المستخدم: ${countedInArabic(most, 'character')}`,
  username_wrong: () => `لا يكون فارغًا ولا فيه ${inArabic(':')}`,
  control_character: () => 'فيه سطر جديد أو خانة تحكّم أخرى',
  not_ascii: () => 'فيه حرف لا تحمله الترويسة: تُقبل حروف ASCII فقط',

  path_empty: () => `الموضع فارغ: اكتب اسمًا أو رقمًا واحدًا على الأقل، مثل ${inArabic('order.id')}`,
  path_too_long: ({ most }) => `الحد الأعلى للموضع: ${countedInArabic(most, 'character')}`,
  path_too_many_steps: ({ most }) => `الحد الأعلى لأجزاء الموضع: ${written(most)}`,
  path_space: () => 'في الموضع مسافة: لا يمكن الوصول إلى اسم فيه مسافة',
  path_empty_name: () => 'ينقص الموضع اسم: فيه نقطتان متتاليتان، أو نقطة في طرفه',
  path_bad_bracket: () =>
    `في الموضع قوس لم يُغلق أو ليس في مكانه: اكتب ${inArabic('items[0].name')}`,
  path_bad_position: () => `بين القوسين ما ليس رقمًا: اكتب أرقامًا، مثل ${inArabic('[0]')}`,

  url_empty: () => `الرابط مطلوب: اكتب ما يبدأ بـ ${inArabic('https://')}`,
  url_too_long: ({ most }) => `الحد الأعلى للرابط: ${countedInArabic(most, 'character')}`,
  url_bad_character: () =>
    `في الرابط مسافة أو ${inArabic('\\')} أو خانة تحكّم: اكتبها مرمّزة بعلامة ${inArabic('%')}`,
  url_not_https: () => `يجب أن يبدأ الرابط بـ ${inArabic('https://')}`,
  url_userinfo: () => 'لا يُقبل في الرابط اسم مستخدم أو كلمة مرور',
  url_query: () => `لا يُقبل في الرابط ما بعد ${inArabic('?')}`,
  url_fragment: () => `لا يُقبل في الرابط ما بعد ${inArabic('#')}`,
  url_dot_segment: () => `لا يُقبل ${inArabic('.')} أو ${inArabic('..')} جزءًا من الرابط`,
  url_invalid: () => 'هذا ليس رابطًا: راجع اسم الخادم والمنفذ',
  url_port: () => 'ترفض المتصفحات هذا المنفذ لأنه لخدمة من نوع آخر. المعتاد هو 443',
  url_ip_spelling: () =>
    `العنوان مكتوب بشكل غير معتاد: اكتبه بأربعة أرقام، مثل ${inArabic('203.0.113.7')}`,
  url_address: () => 'يقود الرابط إلى عنوان غير عام: يجب أن يكون الوصول إليه ممكنًا من الإنترنت',
  url_no_dot: () => `يلزم اسم خادم فيه نقطة، مثل ${inArabic('shop.example.com')}`,
  url_host: () => 'لا يمكن استعمال اسم الخادم هذا',
  url_suffix: () => 'اسم الخادم لشبكة خاصة: يلزم اسم عام',
  url_not_found: () => 'تعذّر العثور على عنوان اسم الخادم: راجع كتابته وسجلات DNS ثم أعد المحاولة',

  no_slash: () => `يجب أن يبدأ بـ ${inArabic('/')}`,
  two_slashes: () => `يجب أن يبدأ بـ ${inArabic('/')} واحدة فقط`,
  query: () => `لا يُقبل ما بعد ${inArabic('?')} هنا: له حقول خاصة به`,
  fragment: () => `لا تُقبل العلامة ${inArabic('#')}`,
  bad_character: () => `فيه ${inArabic('\\')} أو خانة تحكّم`,
  dot_segment: () => `لا يُقبل ${inArabic('.')} أو ${inArabic('..')} جزءًا منه`,
  broken_placeholder: () => `فيه ${inArabic('{{')} من دون متغيّر مثل ${VARIABLE}`,
  unknown_placeholder: ({ placeholder }) =>
    `فيه ${inArabic(`{{${placeholder}}}`)}، ولا شيء يملؤه هنا`,
  placeholder_in_name: () => 'في الاسم متغيّر: المتغيّرات في القيم فقط',
  placeholder_outside_quotes: () =>
    `فيه متغيّر خارج علامتي الاقتباس: اكتب ${inArabic('"{{vars.name}}"')}`,
  not_json: () => 'ليس JSON',
  not_a_container: () => 'يجب أن يكون كائن JSON أو قائمة',
  too_large: ({ most }) => `الحد الأعلى: ${countedInArabic(most, 'byte')}`,
  no_body: ({ method }) => `يجب أن يبقى فارغًا: طلب ${inArabic(method)} بلا محتوى`,
  bad_name_character: () => 'فيه حرف لا يُقبل في اسم ترويسة',
  not_settable: () => 'لا يمكن تعيين هذه الترويسة: تكتبها الخدمة بنفسها أو لا ترسلها أبدًا',
  twice: () => 'مكرر',
  parameter_not_used: ({ name }) =>
    `غير مستعمل: اكتب ${inArabic(`{{args.${name}}}`)} في الطلب، أو احذفه`,
  names_customer: () => `يسأل من هو العميل: اختر ما يعرف الإجراء العميل به، واكتب ${IDENTITY}`,
  no_identity: () => 'تلزم قيمة العميل: اختر ما يعرف الإجراء العميل به',
  identity_not_used: () =>
    `غير مستعمل: اكتب ${IDENTITY} في الطلب، أو أضف فحص الملكية، أو لا تختر شيئًا`,
}
