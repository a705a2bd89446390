import type { ProblemFacts } from '../../core/facts/problems.ts'
import { defineFacts } from '../define-facts.ts'

export const problemFacts = defineFacts<ProblemFacts>()({
  en: {
    fields_wrong: 'Some fields are invalid.',
    body_not_json: 'The body isn’t valid JSON.',
    body_type_not_json: 'Send the body as application/json.',
    body_too_large: 'The body is larger than {max} bytes.',
    body_too_deep: 'Lists and objects in the body can be nested at most {max} levels deep.',
    body_too_many_values: 'The body can contain at most {max} values. Send it in several requests.',
    too_many_bodies: 'Too many requests are arriving at once. Try again in a moment.',
    body_too_slow: 'The body arrived too slowly. Try again in a moment.',
    nothing_at_address: 'There’s nothing at this address.',
    no_rest_api: 'The REST API under /v1 isn’t available.',
    no_such_id: 'Nothing has this ID.',
    sign_in_first: 'Sign in first.',
    needs_role: 'You need the role {roles, or} to do this.',
    wrong_origin:
      'This page was opened at a different URL from the service’s own, so it can’t change anything. Open the dashboard at {origin} and try again. The operator of this service sets that URL as BASE_URL.',
    not_same_origin:
      'This request came from a page on another site, so nothing was changed. Open the dashboard itself and try again.',
    origin_missing:
      'When you use a session cookie, also send Origin: {origin}. Programs should sign in as "program" and send their token as Authorization: Bearer.',
    account_on_hold:
      'This account is being moved to another server, so nothing can be changed. Try again later.',
    account_moved:
      'This account has moved to another server. Ask the operator of this service for its new address.',
    database_away: 'The database can’t be reached. Try again in a minute.',
    database_busy: 'The service is busy. Try again in a moment.',
    fault_of_ours:
      'Something went wrong on our side. Quote the requestId when you contact support.',
  },
  ar: {
    fields_wrong: 'بعض الحقول تحتاج إلى تصحيح.',
    body_not_json: 'المحتوى ليس JSON.',
    body_type_not_json: 'أرسل المحتوى بالنوع `application/json`.',
    body_too_large: 'المحتوى أكبر من {max, after byte}.',
    body_too_deep: 'الحد الأقصى لتداخل القوائم والكائنات في المحتوى: {max}.',
    body_too_many_values: 'الحد الأقصى لعدد القيم في المحتوى: {max}. أرسله في عدة طلبات.',
    too_many_bodies: 'طلبات كثيرة في الوقت نفسه. أعد المحاولة بعد لحظات.',
    body_too_slow: 'وصل المحتوى ببطء شديد. أعد المحاولة بعد لحظات.',
    nothing_at_address: 'لا شيء في هذا الرابط.',
    no_rest_api: 'واجهة REST تحت `/v1` غير متاحة.',
    no_such_id: 'لا يوجد عنصر بهذا المعرّف.',
    sign_in_first: 'سجّل الدخول أولًا.',
    needs_role: 'هذا متاح {roles, for_role or} فقط.',
    wrong_origin:
      'فُتحت هذه الصفحة من رابط غير رابط الخدمة، فلا يمكنها تغيير شيء. افتح لوحة التحكم من {origin} ثم أعد المحاولة. يضبط مشغّل الخدمة هذا الرابط في `BASE_URL`.',
    not_same_origin:
      'جاء هذا الطلب من صفحة في موقع آخر، فلم يتغيّر شيء. افتح لوحة التحكم نفسها ثم أعد المحاولة.',
    origin_missing:
      'مع ملف تعريف ارتباط الجلسة أرسل أيضًا `Origin: {origin}`. أما البرنامج فيسجّل الدخول بصفة `program` ويرسل رمزه في `Authorization: Bearer`.',
    account_on_hold: 'يُنقل هذا الحساب إلى خادم آخر، فلا يمكن تغيير شيء الآن. أعد المحاولة لاحقًا.',
    account_moved: 'نُقل هذا الحساب إلى خادم آخر. اطلب عنوانه الجديد من مشغّل الخدمة.',
    database_away: 'أعد المحاولة بعد دقيقة.',
    database_busy: 'ضغط كبير على الخدمة الآن. أعد المحاولة بعد لحظات.',
    fault_of_ours: 'أرسل إلينا قيمة `requestId` لنبحث عن السبب.',
  },
})
