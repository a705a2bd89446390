import type { AccountFacts } from '../../facts/accounts.ts'
import { countedAfter } from '../counted.ts'
import { inArabic } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const AR_ACCOUNTS: Sentences<AccountFacts> = {
  no_such_company: () => 'لا يوجد مشروع كهذا في هذا الحساب.',
  projects_used_up: ({ most }) =>
    `عدد مشاريع الحساب بلغ الحد الأعلى: ${most}. اطلب زيادته من مشغّل الخدمة (${inArabic('PROJECTS_PER_ACCOUNT')}).`,
  no_such_account: ({ account }) => `لا يوجد حساب بالمعرّف ${inArabic(account)}.`,
  no_such_member: () => 'لا يوجد عضو كهذا في هذا الحساب.',
  no_such_session: () => 'لا توجد جلسة دخول كهذه لك.',
  no_such_invitation: () => 'لا توجد دعوة كهذه.',
  no_such_notice: () => 'لا يوجد إشعار كهذا في هذا الحساب.',
  not_your_account: () => 'لست عضوًا في حساب كهذا.',
  no_membership: () => 'لست عضوًا في أي حساب.',
  invitation_over: () => 'هذه الدعوة استُعملت أو سُحبت أو انتهت.',
  invitation_not_mailed: () => 'تعذّر إرسال الدعوة بالبريد، فلم تُنشأ. أعد المحاولة بعد دقائق.',
  invitations_a_minute: ({ most }) => `الحد الأعلى للدعوات المرسلة بالبريد في الدقيقة: ${most}.`,
  already_member: () => 'هذا الشخص عضو في الحساب من قبل.',
  only_owners_over_owners: () => 'المالك وحده يغيّر ما يخص المالكين.',
  keep_one_owner: () => 'لا بد للحساب من مالك واحد على الأقل. عيّن مالكًا آخر أولًا.',
  password_needed: () => 'كلمة المرور مطلوبة مرة أخرى للمتابعة.',
  too_many_sign_ins: () => 'يسجّل الدخول أشخاص كثيرون الآن. أعد المحاولة بعد دقيقة.',
  email_or_password_wrong: () => 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  too_many_tries: ({ minutes }) =>
    `محاولات كثيرة. أعد المحاولة بعد ${countedAfter(minutes, 'minute')}.`,
  sign_in_code_wrong: ({ left }) =>
    left > 0
      ? `هذا الرمز غير صحيح أو استُعمل من قبل. المحاولات الباقية: ${left}.`
      : 'هذا الرمز غير صحيح أو استُعمل من قبل. سجّل الدخول من جديد.',
  sign_in_over: () => 'انتهت محاولة الدخول هذه. ابدأ من جديد بكلمة المرور.',
  set_up_second_factor: () => 'يطلب هذا الحساب التحقق بخطوتين من كل عضو. يلزم إعداده للمتابعة.',
  second_factor_on: () => 'التحقق بخطوتين مفعّل لديك من قبل.',
  second_factor_not_begun: () => 'ابدأ أولًا بإعداد التحقق بخطوتين.',
  second_factor_off: ({ email }) => `لا تحقق بخطوتين لدى ${inArabic(email)}.`,
  second_factor_of_your_own: () => 'أعدّ التحقق بخطوتين لنفسك أولًا حتى تتمكن من المتابعة.',
  password_reset_by_operator: () =>
    `لا يُرسل بريد من هنا. مشغّل الخدمة يعطيك كلمة مرور جديدة بالأمر ${inArabic('reset-password')}.`,
  password_reset_over: () => 'هذا الرابط استُعمل أو حلّ محله رابط أحدث أو انتهى. اطلب رابطًا آخر.',
  set_up_over: () => 'انتهى الإعداد. اطلب دعوة من أحد المالكين.',
  set_up_token_wrong: () => 'رمز الإعداد غير صحيح. الرمز الصحيح في آخر تشغيل للخدمة.',
  demonstration_link_wrong: () =>
    'رابط العرض التجريبي هذا من تشغيل سابق، أو أن العرض متوقف. افتح الرابط الذي يطبعه آخر تشغيل.',
  email_just_used: () => 'استُعمل هذا البريد الإلكتروني للتو. أعد المحاولة.',
  email_in_several_accounts: () =>
    'هذا البريد الإلكتروني مستعمل في عدة حسابات ولم يُثبت أحد أنه له. تلزم دعوة ببريد آخر، أو دعوة تُرسل بالبريد.',
  email_known: ({ email }) =>
    `${inArabic(email)} معروف هنا من قبل. مالك الحساب يدعوه، والأمر ${inArabic('reset-password')} يعطيه كلمة مرور جديدة.`,
  email_unknown: ({ email, account }) =>
    account === null
      ? `لا أحد بالبريد الإلكتروني ${inArabic(email)}.`
      : `لا أحد بالبريد الإلكتروني ${inArabic(email)} في الحساب ${inArabic(account)} وحده.`,
  email_believed_in: ({ email, accounts }) =>
    `البريد ${inArabic(email)} معتمد في كل واحد من هذه الحسابات. سمِّ أحدها أيضًا: ${accounts.map(inArabic).join('، ')}`,
}
