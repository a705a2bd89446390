import type { VisitorFacts } from '../../core/facts/visitors.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_VISITORS: Catalog<VisitorFacts> = {
  no_such_site: () => 'لا توجد دردشة موقع ولا نموذج مفعّل بهذا المفتاح.',
  site_not_allowed: () => 'هذا الموقع ليس ضمن المواقع المسموح بها. أضفه في إعدادات القناة.',
  visitor_token_needed: () =>
    `أرسل ${inArabic('visitorToken')} الخاص بالجلسة بهذا الشكل: ${inArabic('Authorization: Bearer')}. تحصل عليه من ${inArabic('POST /widget/v1/sessions')}.`,
  wrong_origin_of_site: () =>
    `اكتب رابط موقع مثل ${inArabic('https://shop.example.com')}، ولا يُقبل رابط بدون ${inArabic('https')} إلا على هذا الجهاز`,
  no_such_upload: () => 'لا يوجد ملف بانتظار الإرسال بهذا المعرّف. ارفعه من جديد',
  visitor_uploads_full: () => 'أُرسلت ملفات كثيرة من هنا مؤخرًا. أعد المحاولة لاحقًا.',
  too_many_talks: () => 'بدأت محادثات كثيرة من هذا العنوان. أعد المحاولة لاحقًا.',
  too_many_requests: () => 'وصلت طلبات كثيرة من هذا العنوان. أعد المحاولة بعد دقيقة.',
  too_many_enquiries: () => 'وصلت استفسارات كثيرة من هذا العنوان. أعد المحاولة بعد دقيقة.',
  streams_full: () => 'الاتصالات المفتوحة كثيرة. استخدم طلب الرسائل على فترات بدلًا منها.',
  ticket_used_up: () => 'التذكرة مستخدمة أو قديمة، أو لم يكتب صاحبها شيئًا بعد. اطلب تذكرة أخرى.',
  enquiry_too_quick: () => 'أُرسل النموذج أسرع من المعتاد. أرسله مرة أخرى.',
  enquiry_reach_needed: () => 'اكتبه أو اكتب رقم هاتف، وإلا تعذّر الرد عليك',
  form_type: () =>
    `أرسله بصيغة ${inArabic('application/json')} أو ${inArabic('application/x-www-form-urlencoded')}.`,
}
