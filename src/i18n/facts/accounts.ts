import type { AccountFacts } from '../../core/facts/accounts.ts'
import { defineFacts } from '../define-facts.ts'

export const accountFacts = defineFacts<AccountFacts>()({
  en: {
    no_such_company: 'No company with this ID in this account.',
    projects_used_up:
      'The account can have at most {max, plain} projects. Ask the operator of this service to raise the limit (PROJECTS_PER_ACCOUNT).',
    no_such_account: 'No account with the ID {account}.',
    no_such_member: 'No member with this ID in this account.',
    no_such_session: 'No session with this ID.',
    no_such_invitation: 'No invitation with this ID.',
    no_such_notice: 'No notification with this ID in this account.',
    not_your_account: 'You aren’t a member of this account.',
    no_membership: 'You aren’t a member of any account.',
    invitation_over:
      'This invitation has already been used, was revoked or has expired. Ask for a new one.',
    invitation_not_mailed:
      'The invitation email couldn’t be sent, so the invitation wasn’t created. Try again in a few minutes.',
    invitations_a_minute: 'You can send at most {max} invitations a minute. Try again in a minute.',
    already_member: 'They’re already a member of this account.',
    only_owners_over_owners: 'Only an Owner can change or remove an Owner.',
    keep_one_owner: 'An account needs at least one Owner. Make someone else an Owner first.',
    password_needed: 'Enter your password again to do this.',
    too_many_sign_ins: 'Too many people are signing in right now. Try again in a minute.',
    email_or_password_wrong: 'The email address or password is incorrect.',
    too_many_tries: 'Too many attempts. Try again in {minutes, minute}.',
    sign_in_code_wrong: {
      text: '{left}',
      forms: {
        left: {
          0: 'This code is incorrect or has already been used. Sign in again.',
          other: 'This code is incorrect or has already been used. {left, attempt} left.',
        },
      },
    },
    sign_in_over: 'This sign-in has expired. Sign in again with your password.',
    set_up_second_factor: 'This account requires two-factor authentication. Set it up to continue.',
    second_factor_on: 'Two-factor authentication is already on.',
    second_factor_not_begun: 'Start setting up two-factor authentication first.',
    second_factor_off: '{email} doesn’t use two-factor authentication.',
    second_factor_of_your_own:
      'Set up two-factor authentication for yourself first, so you don’t lock yourself out.',
    password_reset_by_operator:
      'This service can’t send email. Ask its operator to set a new password with "reset-password".',
    password_reset_over:
      'This link has already been used, was replaced by a newer one or has expired. Request a new one.',
    set_up_over: 'Setup is already complete. Ask an Owner to invite you.',
    set_up_token_wrong:
      'The setup token is incorrect. Use the one printed when the service last started.',
    demonstration_link_wrong:
      'This demo link is from an earlier start, or the demo is off. Open the link printed when the service last started.',
    email_just_used: 'This email address was just used by someone else. Try again.',
    email_in_several_accounts:
      'This email address is used in several accounts and isn’t confirmed. Use another address, or get the invitation by email.',
    email_known:
      '{email} is already registered here. Ask an Owner of the account to invite them, or use "reset-password" to set a new password.',
    email_unknown: {
      text: 'No one is registered with {email}{account}.',
      forms: { account: { null: '', other: ' in account {account} alone' } },
    },
    email_believed_in: '{email} is used in several accounts. Add the ID of one of them: {accounts}',
  },
  ar: {
    no_such_company: 'هذا المشروع غير موجود في الحساب.',
    projects_used_up:
      'الحد الأقصى للمشاريع في الحساب: {max, plain}. اطلب زيادته من مشغّل الخدمة (`PROJECTS_PER_ACCOUNT`).',
    no_such_account: 'لا يوجد حساب بالمعرّف {account}.',
    no_such_member: 'هذا العضو غير موجود في الحساب.',
    no_such_session: 'جلسة الدخول هذه غير موجودة.',
    no_such_invitation: 'هذه الدعوة غير موجودة.',
    no_such_notice: 'هذا الإشعار غير موجود في الحساب.',
    not_your_account: 'لا عضوية لك في هذا الحساب.',
    no_membership: 'لا عضوية لك في أي حساب.',
    invitation_over: 'استُخدمت هذه الدعوة، أو أُلغيت، أو انتهت صلاحيتها.',
    invitation_not_mailed: 'تعذّر إرسال الدعوة بالبريد، فلم تُنشأ. أعد المحاولة بعد دقائق.',
    invitations_a_minute: 'الحد الأقصى للدعوات المرسلة بالبريد في الدقيقة: {max}.',
    already_member: 'هذا الشخص عضو في الحساب بالفعل.',
    only_owners_over_owners: 'تعديل ما يخص المالكين متاح للمالك فقط.',
    keep_one_owner: 'يجب أن يبقى للحساب مالك واحد على الأقل. عيّن مالكًا آخر أولًا.',
    password_needed: 'أدخل كلمة المرور مرة أخرى للمتابعة.',
    too_many_sign_ins: 'محاولات تسجيل الدخول كثيرة الآن. أعد المحاولة بعد دقيقة.',
    email_or_password_wrong: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
    too_many_tries: 'محاولات كثيرة. أعد المحاولة بعد {minutes, after minute}.',
    sign_in_code_wrong: {
      text: '{left}',
      forms: {
        left: {
          0: 'الرمز غير صحيح أو سبق استخدامه. سجّل الدخول من جديد.',
          other: 'الرمز غير صحيح أو سبق استخدامه. المحاولات المتبقية: {left}.',
        },
      },
    },
    sign_in_over: 'انتهت مهلة تسجيل الدخول. ابدأ من جديد بكلمة المرور.',
    set_up_second_factor: 'يطلب هذا الحساب التحقق بخطوتين من كل عضو. أعدّه للمتابعة.',
    second_factor_on: 'التحقق بخطوتين مفعّل لديك بالفعل.',
    second_factor_not_begun: 'ابدأ أولًا بإعداد التحقق بخطوتين.',
    second_factor_off: 'التحقق بخطوتين غير مفعّل لدى {email}.',
    second_factor_of_your_own: 'أعدّ التحقق بخطوتين لحسابك أولًا.',
    password_reset_by_operator:
      'إرسال البريد غير مُعدّ في هذه الخدمة. اطلب كلمة مرور جديدة من مشغّل الخدمة عبر الأمر `reset-password`.',
    password_reset_over:
      'استُخدم هذا الرابط، أو صدر رابط أحدث منه، أو انتهت صلاحيته. اطلب رابطًا آخر.',
    set_up_over: 'اكتمل الإعداد بالفعل. اطلب دعوة من أحد المالكين.',
    set_up_token_wrong: 'رمز الإعداد غير صحيح. الرمز الصحيح طُبع عند آخر تشغيل للخدمة.',
    demonstration_link_wrong:
      'رابط العرض التجريبي هذا من تشغيل سابق، أو أن العرض متوقف. افتح الرابط المطبوع عند آخر تشغيل.',
    email_just_used: 'استُخدم هذا البريد الإلكتروني قبل لحظات. أعد المحاولة.',
    email_in_several_accounts:
      'هذا البريد الإلكتروني مستخدم في عدة حسابات، ولم تُثبت ملكيته. تلزم دعوة ببريد آخر، أو دعوة تُرسل بالبريد.',
    email_known:
      '{email} مسجّل هنا بالفعل. يمكن لمالك الحساب دعوته، أو إنشاء كلمة مرور جديدة بالأمر `reset-password`.',
    email_unknown: {
      text: '{account}',
      forms: {
        account: {
          null: 'البريد الإلكتروني {email} غير مسجّل.',
          other: 'البريد الإلكتروني {email} غير مسجّل في الحساب {account} وحده.',
        },
      },
    },
    email_believed_in: 'البريد {email} معتمد في كل من هذه الحسابات. حدّد أحدها أيضًا: {accounts}',
  },
})
