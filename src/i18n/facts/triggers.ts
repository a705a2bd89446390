import type { TriggerFacts } from '../../core/facts/triggers.ts'
import { defineFacts } from '../define-facts.ts'

export const triggerFacts = defineFacts<TriggerFacts>()({
  en: {
    trigger_hooks_not_in_plan:
      'Starting flows from your system isn’t included in the {plan} plan, so the hook URL returns not_in_plan.',
    trigger_cannot_begin:
      'A flow that messages the customer first needs a channel that can start conversations; {channelType} can’t.',
    trigger_keyword_empty:
      'The keyword "{word}" has nothing a customer could type. Add a letter, digit or symbol.',
    trigger_keyword_too_long:
      'The keyword "{word}" is too long once its symbols are written out. Use fewer of them.',
    trigger_keyword_taken:
      'The flow "{flow}" also uses the keyword "{word}" on this channel. The one published first starts.',
    trigger_first_message_taken:
      'The flow "{flow}" already starts on a customer’s first message on this channel. Switch it off first.',
    trigger_template_missing: 'The channel has no template "{template}".',
    trigger_button_missing: {
      text: 'The template "{template}" has no button "{button}"{buttons}.',
      forms: {
        buttons: { 0: '; it has no reply buttons', other: '. Choose {buttons, quoted or}' },
      },
    },
    trigger_button_taken:
      'The flow "{flow}" also starts on the button "{button}" of the template "{template}". The one published first starts.',
    run_left_for_another: 'The customer started another flow instead of replying.',
    flow_changed:
      'Someone else changed this flow while you were editing. Review it before you save.',
    start_flow_off:
      'The flow isn’t published or is switched off. Publish it or switch it on first.',
    start_flow_beyond_plan:
      'The flow is over the {plan} plan’s limit of {max, flow}. Switch another one off first.',
    start_flow_not_manual:
      'Only flows with the trigger "manual" can be started by hand; this one is started by "{trigger}".',
    start_channel_not_connected: 'The flow’s channel isn’t connected. Reconnect it.',
    start_contact_not_on_channel:
      'has no conversation on the flow’s channel and no phone number. Choose another contact',
    contact_without_number: 'The contact has no phone number. Add one, or wait until they write.',
    start_opted_out: 'The customer has opted out. Don’t message them another way.',
    start_window_closed:
      'The customer hasn’t written recently, so the flow must send a template first, but the step "{step}" can come before one.',
  },
  ar: {
    trigger_hooks_not_in_plan:
      'بدء المسارات من نظامك غير متاح في {plan, plan}: يرد رابط التشغيل بالرمز `not_in_plan`.',
    trigger_cannot_begin:
      'المسار الذي يبدأ بمراسلة العميل يحتاج إلى قناة يمكنها بدء محادثة، وقناة {channelType} لا يمكنها ذلك.',
    trigger_keyword_empty:
      'الكلمة المفتاحية «{word}» ليس فيها ما يمكن للعميل كتابته: أضف حرفًا أو رقمًا أو رمزًا.',
    trigger_keyword_too_long:
      'الكلمة المفتاحية «{word}» أطول من المسموح بعد كتابة رموزها كاملة: قلّل الرموز.',
    trigger_keyword_taken:
      'الكلمة المفتاحية «{word}» مستخدمة في المسار «{flow}» على هذه القناة أيضًا: يبدأ المسار الذي نُشر أولًا.',
    trigger_first_message_taken:
      'المسار «{flow}» يبدأ بالفعل بأول رسالة من العميل على هذه القناة. أوقفه أولًا.',
    trigger_template_missing: 'لا يوجد قالب باسم «{template}» في القناة.',
    trigger_button_missing: {
      text: 'ليس في القالب «{template}» زر «{button}»{buttons}.',
      forms: {
        buttons: { 0: '، وليس فيه زر يرد به العميل', other: '. اختر {buttons, quoted or}' },
      },
    },
    trigger_button_taken:
      'المسار «{flow}» يبدأ أيضًا بالزر «{button}» من القالب «{template}»: يبدأ المسار الذي نُشر أولًا.',
    run_left_for_another: 'بدأ العميل مسارًا آخر بدل الرد.',
    flow_changed: 'غيّر شخص آخر هذا المسار أثناء تعديلك. راجعه قبل الحفظ.',
    start_flow_off: 'المسار غير منشور أو موقوف. انشره أو فعّله أولًا.',
    start_flow_beyond_plan: 'المسار خارج حد {plan, plan}: {max, flow}. أوقف مسارًا آخر أولًا.',
    start_flow_not_manual:
      'يبدأ الأعضاء المسارات التي محفّزها «`manual`» فقط، ومحفّز هذا المسار «{trigger}».',
    start_channel_not_connected: 'قناة المسار غير مرتبطة. أعد ربطها.',
    start_contact_not_on_channel:
      'لا توجد لجهة الاتصال هذه محادثة على قناة المسار ولا رقم هاتف: اختر غيرها',
    contact_without_number: 'لا يوجد رقم هاتف لجهة الاتصال. أضف رقمًا، أو انتظر حتى يكتب العميل.',
    start_opted_out: 'أوقف العميل الرسائل. لا تراسله بأي طريقة أخرى.',
    start_window_closed:
      'نافذة الرد مع العميل مغلقة، فيجب أن يبدأ المسار بقالب، والخطوة «{step}» قد تسبقه.',
  },
})
