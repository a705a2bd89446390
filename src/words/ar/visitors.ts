import type { VisitorFacts } from '../../facts/visitors.ts'
import { inArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_VISITORS: Sentences<VisitorFacts> = {
  no_such_site: () => 'لا توجد محادثة أو استمارة مستخدمة بهذا المفتاح.',
  site_not_allowed: () =>
    'هذا الموقع ليس من المواقع المسموح بها. أضفه إلى المواقع المسموح بها في إعدادات القناة.',
  visitor_token_needed: () =>
    `أرسل ${inArabic('visitorToken')} الخاص بالجلسة بهذا الشكل: ${inArabic('Authorization: Bearer')}. تحصل عليه من ${inArabic('POST /widget/v1/sessions')}.`,
  wrong_origin_of_site: () =>
    `اكتب عنوان موقع مثل ${inArabic('https://shop.example.com')}، ولا يُقبل عنوان من دون ${inArabic('https')} إلا على هذا الجهاز`,
  no_such_upload: () => 'لا يوجد لديك ملف ينتظر الإرسال بهذا المعرّف. ارفعه من جديد',
  visitor_uploads_full: () => 'أُرسلت ملفات كثيرة من هنا مؤخرًا. حاول لاحقًا.',
  too_many_talks: () => 'بدأت محادثات كثيرة من هذا العنوان. حاول لاحقًا.',
  too_many_requests: () => 'وصلت طلبات كثيرة من هذا العنوان. حاول بعد دقيقة.',
  too_many_enquiries: () => 'وصلت استفسارات كثيرة من هذا العنوان. حاول بعد دقيقة.',
  streams_full: () => 'الاتصالات المفتوحة كثيرة. اطلب الرسائل بين حين وآخر بدلًا من ذلك.',
  ticket_used_up: () => 'التذكرة مستعملة أو قديمة، أو صاحبها لم يكتب شيئًا بعد. اطلب تذكرة أخرى.',
  enquiry_too_quick: () => 'أُرسل هذا أسرع مما يكتبه إنسان. أرسله مرة أخرى.',
  enquiry_reach_needed: () => 'اكتبه أو اكتب رقم هاتف، وإلا فلن يستطيع أحد الرد',
  form_type: () =>
    `أرسله بصيغة ${inArabic('application/json')} أو ${inArabic('application/x-www-form-urlencoded')}.`,
}
