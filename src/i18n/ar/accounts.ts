import type { AccountFacts } from '../../core/facts/accounts.ts'
import { countedAfter } from '../counted.ts'
import { inArabic } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const AR_ACCOUNTS: Catalog<AccountFacts> = {
  no_such_company: () => 'هذا المشروع غير موجود في الحساب.',
  projects_used_up: ({ max }) =>
    `الحد الأقصى للمشاريع في الحساب: ${max}. اطلب زيادته من مشغّل الخدمة (${inArabic('PROJECTS_PER_ACCOUNT')}).`,
  no_such_account: ({ account }) => `لا يوجد حساب بالمعرّف ${inArabic(account)}.`,
  no_such_member: () => 'هذا العضو غير موجود في الحساب.',
  no_such_session: () => 'جلسة الدخول هذه غير موجودة.',
  no_such_invitation: () => 'هذه الدعوة غير موجودة.',
  no_such_notice: () => 'هذا الإشعار غير موجود في الحساب.',
  not_your_account: () => 'لا عضوية لك في هذا الحساب.',
  no_membership: () => 'لا عضوية لك في أي حساب.',
  invitation_over: () => 'استُخدمت هذه الدعوة، أو أُلغيت، أو انتهت صلاحيتها.',
  invitation_not_mailed: () => 'تعذّر إرسال الدعوة بالبريد، فلم تُنشأ. أعد المحاولة بعد دقائق.',
  invitations_a_minute: ({ max }) => `الحد الأقصى للدعوات المرسلة بالبريد في الدقيقة: ${max}.`,
  already_member: () => 'هذا الشخص عضو في الحساب بالفعل.',
  only_owners_over_owners: () => 'تعديل ما يخص المالكين متاح للمالك فقط.',
  keep_one_owner: () => 'يجب أن يبقى للحساب مالك واحد على الأقل. عيّن مالكًا آخر أولًا.',
  password_needed: () => 'أدخل كلمة المرور مرة أخرى للمتابعة.',
  too_many_sign_ins: () => 'محاولات تسجيل الدخول كثيرة الآن. أعد المحاولة بعد دقيقة.',
  email_or_password_wrong: () => 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  too_many_tries: ({ minutes }) =>
    `محاولات كثيرة. أعد المحاولة بعد ${countedAfter(minutes, 'minute')}.`,
  sign_in_code_wrong: ({ left }) =>
    left > 0
      ? `الرمز غير صحيح أو سبق استخدامه. المحاولات المتبقية: ${left}.`
      : 'الرمز غير صحيح أو سبق استخدامه. سجّل الدخول من جديد.',
  sign_in_over: () => 'انتهت مهلة تسجيل الدخول. ابدأ من جديد بكلمة المرور.',
  set_up_second_factor: () => 'يطلب هذا الحساب التحقق بخطوتين من كل عضو. أعدّه للمتابعة.',
  second_factor_on: () => 'التحقق بخطوتين مفعّل لديك بالفعل.',
  second_factor_not_begun: () => 'ابدأ أولًا بإعداد التحقق بخطوتين.',
  second_factor_off: ({ email }) => `التحقق بخطوتين غير مفعّل لدى ${inArabic(email)}.`,
  second_factor_of_your_own: () => 'أعدّ التحقق بخطوتين لحسابك أولًا.',
  password_reset_by_operator: () =>
    `إرسال البريد غير مُعدّ في هذه الخدمة. اطلب كلمة مرور جديدة من مشغّل الخدمة عبر الأمر ${inArabic('reset-password')}.`,
  password_reset_over: () =>
    'استُخدم هذا الرابط، أو صدر رابط أحدث منه، أو انتهت صلاحيته. اطلب رابطًا آخر.',
  set_up_over: () => 'اكتمل الإعداد بالفعل. اطلب دعوة من أحد المالكين.',
  set_up_token_wrong: () => 'رمز الإعداد غير صحيح. الرمز الصحيح طُبع عند آخر تشغيل للخدمة.',
  demonstration_link_wrong: () =>
    'رابط العرض التجريبي هذا من تشغيل سابق، أو أن العرض متوقف. افتح الرابط المطبوع عند آخر تشغيل.',
  email_just_used: () => 'استُخدم هذا البريد الإلكتروني قبل لحظات. أعد المحاولة.',
  email_in_several_accounts: () =>
    'هذا البريد الإلكتروني مستخدم في عدة حسابات، ولم تُثبت ملكيته. تلزم دعوة ببريد آخر، أو دعوة تُرسل بالبريد.',
  email_known: ({ email }) =>
    `${inArabic(email)} مسجّل هنا بالفعل. يمكن لمالك الحساب دعوته، أو إنشاء كلمة مرور جديدة بالأمر ${inArabic('reset-password')}.`,
  email_unknown: ({ email, account }) =>
    account === null
      ? `البريد الإلكتروني ${inArabic(email)} غير مسجّل.`
      : `البريد الإلكتروني ${inArabic(email)} غير مسجّل في الحساب ${inArabic(account)} وحده.`,
  email_believed_in: ({ email, accounts }) =>
    `البريد ${inArabic(email)} معتمد في كل من هذه الحسابات. حدّد أحدها أيضًا: ${accounts.map(inArabic).join('، ')}`,
}
