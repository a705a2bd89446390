import type { ProblemFacts } from '../../core/facts/problems.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { countedAfter, written } from '../counted.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const OF_ROLE: Record<Role, string> = { owner: 'للمالك', admin: 'للمدير', agent: 'للموظف' }

export const AR_PROBLEMS: Catalog<ProblemFacts> = {
  fields_wrong: () => 'بعض الحقول تحتاج إلى تصحيح.',
  body_not_json: () => 'المحتوى ليس JSON.',
  body_type_not_json: () => `أرسل المحتوى بالنوع ${inArabic('application/json')}.`,
  body_too_large: ({ max }) => `المحتوى أكبر من ${countedAfter(max, 'byte')}.`,
  body_too_deep: ({ max }) => `الحد الأقصى لتداخل القوائم والكائنات في المحتوى: ${written(max)}.`,
  body_too_many_values: ({ max }) =>
    `الحد الأقصى لعدد القيم في المحتوى: ${written(max)}. أرسله في عدة طلبات.`,
  too_many_bodies: () => 'طلبات كثيرة في الوقت نفسه. أعد المحاولة بعد لحظات.',
  body_too_slow: () => 'وصل المحتوى ببطء شديد. أعد المحاولة بعد لحظات.',
  nothing_at_address: () => 'لا شيء في هذا الرابط.',
  no_rest_api: () => `واجهة REST تحت ${inArabic('/v1')} غير متاحة.`,
  no_such_id: () => 'لا يوجد عنصر بهذا المعرّف.',
  sign_in_first: () => 'سجّل الدخول أولًا.',
  needs_role: ({ roles }) => `هذا متاح ${roles.map((role) => OF_ROLE[role]).join(' أو ')} فقط.`,
  wrong_origin: ({ origin }) =>
    `فُتحت هذه الصفحة من رابط غير رابط الخدمة، فلا يمكنها تغيير شيء. افتح لوحة التحكم من ${inArabic(origin)} ثم أعد المحاولة. يضبط مشغّل الخدمة هذا الرابط في ${inArabic('BASE_URL')}.`,
  not_same_origin: () =>
    'جاء هذا الطلب من صفحة في موقع آخر، فلم يتغيّر شيء. افتح لوحة التحكم نفسها ثم أعد المحاولة.',
  origin_missing: ({ origin }) =>
    `مع ملف تعريف ارتباط الجلسة أرسل أيضًا ${inArabic(`Origin: ${origin}`)}. أما البرنامج فيسجّل الدخول بصفة ${inArabic('program')} ويرسل رمزه في ${inArabic('Authorization: Bearer')}.`,
  account_on_hold: () => 'يُنقل هذا الحساب إلى خادم آخر، فلا يمكن تغيير شيء الآن. أعد المحاولة لاحقًا.',
  account_moved: () => 'نُقل هذا الحساب إلى خادم آخر. اطلب عنوانه الجديد من مشغّل الخدمة.',
  database_away: () => 'أعد المحاولة بعد دقيقة.',
  database_busy: () => 'ضغط كبير على الخدمة الآن. أعد المحاولة بعد لحظات.',
  fault_of_ours: () => `أرسل إلينا قيمة ${inArabic('requestId')} لنبحث عن السبب.`,
}
