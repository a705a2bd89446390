import type { VisitorFacts } from '../../core/facts/visitors.ts'
import { defineFacts } from '../define-facts.ts'

export const visitorFacts = defineFacts<VisitorFacts>()({
  en: {
    no_such_site: 'No active widget or form has this key.',
    site_not_allowed:
      'This website isn’t allowed to show it. Add it to the channel’s allowed sites.',
    visitor_token_needed:
      'Send a session’s visitorToken as Authorization: Bearer. Get one from POST /widget/v1/sessions.',
    wrong_origin_of_site:
      'must be a website address such as https://shop.example.com; http works only on this machine',
    no_such_upload: 'isn’t a file you uploaded and haven’t sent yet. Upload it again',
    visitor_uploads_full: 'Too many files were uploaded here recently. Try again later.',
    too_many_talks: 'Too many conversations were started from this address. Try again later.',
    too_many_requests: 'Too many requests came from this address. Try again in a minute.',
    too_many_enquiries: 'Too many enquiries came from this address. Try again in a minute.',
    streams_full: 'Too many streams are open. Poll for messages instead.',
    ticket_used_up:
      'The ticket has been used, has expired, or belongs to a visitor who hasn’t sent a message yet. Request a new one.',
    enquiry_too_quick: 'The form was sent too quickly. Send it again.',
    enquiry_reach_needed: 'is required unless you enter a phone number, so that we can reply',
    form_type: 'Send the form as application/json or application/x-www-form-urlencoded.',
  },
  ar: {
    no_such_site: 'لا توجد دردشة موقع ولا نموذج مفعّل بهذا المفتاح.',
    site_not_allowed: 'هذا الموقع ليس ضمن المواقع المسموح بها. أضفه في إعدادات القناة.',
    visitor_token_needed:
      'أرسل `visitorToken` الخاص بالجلسة بهذا الشكل: `Authorization: Bearer`. تحصل عليه من `POST /widget/v1/sessions`.',
    wrong_origin_of_site:
      'اكتب رابط موقع مثل `https://shop.example.com`، ولا يُقبل رابط بدون `https` إلا على هذا الجهاز',
    no_such_upload: 'لا يوجد ملف بانتظار الإرسال بهذا المعرّف. ارفعه من جديد',
    visitor_uploads_full: 'أُرسلت ملفات كثيرة من هنا مؤخرًا. أعد المحاولة لاحقًا.',
    too_many_talks: 'بدأت محادثات كثيرة من هذا العنوان. أعد المحاولة لاحقًا.',
    too_many_requests: 'وصلت طلبات كثيرة من هذا العنوان. أعد المحاولة بعد دقيقة.',
    too_many_enquiries: 'وصلت استفسارات كثيرة من هذا العنوان. أعد المحاولة بعد دقيقة.',
    streams_full: 'الاتصالات المفتوحة كثيرة. استخدم طلب الرسائل على فترات بدلًا منها.',
    ticket_used_up: 'التذكرة مستخدمة أو قديمة، أو لم يكتب صاحبها شيئًا بعد. اطلب تذكرة أخرى.',
    enquiry_too_quick: 'أُرسل النموذج أسرع من المعتاد. أرسله مرة أخرى.',
    enquiry_reach_needed: 'اكتبه أو اكتب رقم هاتف، وإلا تعذّر الرد عليك',
    form_type: 'أرسله بصيغة `application/json` أو `application/x-www-form-urlencoded`.',
  },
})
