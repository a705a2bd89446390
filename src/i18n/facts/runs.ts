import type { RunFacts } from '../../core/facts/runs.ts'
import { defineFacts } from '../define-facts.ts'

export const runFacts = defineFacts<RunFacts>()({
  en: {
    too_many_steps: 'Ran more than {max, step} without a wait.',
    too_many_waits: 'Waited more than {max, time} in one run.',
    step_gone: 'The step "{step}" doesn’t exist in this version of the flow.',
    flow_deleted: 'The flow was deleted.',
    opted_out_before_start: 'The customer had opted out before the run started.',
    opted_out: 'The customer opted out, so nothing more was sent.',
    run_ended_by_another: 'Another run handed over or resolved the conversation.',
    run_cancelled_by_member: 'A team member cancelled it.',
    run_contact_erased: 'The contact was erased.',
    run_visitor_erased: 'The website visitor was erased.',
    staff_handling: 'Your team is handling the conversation.',
    no_automations: 'The plan no longer includes automations.',
    run_not_taken_on: 'The service couldn’t process this run. Its operator can see why.',
    customer_not_reachable:
      'Not sent. The number now belongs to someone else, and there’s no other known way to reach this customer.',
    sender_ended: 'It was no longer needed, so nothing was sent.',
    message_restored:
      'The service was restored from a backup in which this message was still queued. It may have been sent since, so it isn’t sent automatically.',
    run_restored:
      'The service was restored from a backup made while this run was in progress. We don’t know how far it got, so nothing more was sent or called.',
    channel_disconnected: {
      text: 'The channel isn’t connected. {why}Reconnect it.',
      forms: { why: { null: '', other: '{why, unchanged} ' } },
    },
    customer_has_not_begun:
      'On this channel only the customer can start a conversation, and they haven’t written yet.',
    channel_sends_nothing: 'Messages can’t be sent on this channel.',
    reply_window_not_opened: {
      text: 'The reply window opens when the customer writes. Until then, {templateMaySend}.',
      forms: {
        templateMaySend: { true: 'you can only send a template', false: 'you can’t send anything' },
      },
    },
    reply_window_closed: {
      text: 'The customer last wrote more than {hours, hour} ago: {templateMaySend}.',
      forms: {
        templateMaySend: { true: 'you can only send a template', false: 'you can’t send anything' },
      },
    },
    text_empty: 'With its values filled in, the message was empty.',
    text_too_long: {
      text: 'With its values filled in, the message was too long: {unit}. The channel allows at most {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} of UTF-8', other: '{length, character}' } },
    },
    template_missing: 'The channel has no template "{template}".',
    template_not_approved: 'The template "{template}" isn’t approved in {language} ({versions}).',
    template_not_fillable: {
      text: 'The template "{template}" has {part}, which flows can’t fill in.',
      forms: {
        part: {
          header: 'a header of type {type}',
          button: 'a button of type {type}',
          component: 'a component of type {type}',
        },
      },
    },
    template_value_empty: 'The value "{value}" of the template "{template}" was empty.',
    account_templates_used_up:
      'The account’s {max, automated_template} for today (UTC) are used up.',
    customer_templates_used_up:
      'The customer already got {max, automated_template} in the last 24 hours.',
    message_gone: 'This step’s message no longer exists.',
    send_unknown: 'No response yet; waiting for the provider to confirm.',
    send_never_told:
      'The provider never confirmed whether this message was sent. It wasn’t sent again, so that the customer doesn’t get it twice.',
    provider_refused: {
      text: 'The provider rejected it: {said}{providerCode}.',
      forms: {
        said: { '': 'no reason given', other: '{said}' },
        providerCode: { '': '', other: ' ({providerCode})' },
      },
    },
    message_undelivered: 'The message couldn’t be delivered. {why, unchanged}',
    not_sent_channel_gone: 'Nothing was sent: the channel no longer exists.',
    not_sent_credentials_unreadable:
      'Nothing was sent: the channel’s credentials couldn’t be read.',
    not_sent_fault: 'Nothing was sent because of a problem on our side: {fault}.',
    customer_without_address: 'Nothing was sent: the customer has no number or ID on this channel.',
    provider_not_reached: 'Nothing was sent: the provider couldn’t be reached ({fault}).',
    provider_answer_cut: 'The provider’s response was incomplete ({fault}).',
    call_not_begun: 'The service stopped before this call was made.',
    call_cut_off:
      'The service stopped during this call, so we don’t know whether your system received it. Check there; the call wasn’t made again.',
    call_answer_not_json: 'The response wasn’t JSON, so no values were saved.',
    call_kept_nothing: 'The response had nothing to save at {paths, quoted}.',
  },
  ar: {
    too_many_steps: 'أكثر من {max, after step} بلا انتظار.',
    too_many_waits: 'أكثر من {max, after wait} في تنفيذ واحد.',
    step_gone: 'لا توجد خطوة باسم «{step}» في هذا الإصدار من المسار.',
    flow_deleted: 'حُذف المسار.',
    opted_out_before_start: 'أوقف العميل الرسائل قبل أن يبدأ التنفيذ.',
    opted_out: 'أوقف العميل الرسائل، ولم يُرسل شيء بعد ذلك.',
    run_ended_by_another: 'حوّلت خطوة من تنفيذ آخر المحادثة إلى الفريق، أو أنهتها.',
    run_cancelled_by_member: 'ألغاه أحد الأعضاء.',
    run_contact_erased: 'مُحيت جهة الاتصال.',
    run_visitor_erased: 'مُحيت بيانات الزائر.',
    staff_handling: 'الفريق يتولى المحادثة.',
    no_automations: 'الباقة لم تعد تشمل المسارات.',
    run_not_taken_on: 'تعذّر على الخدمة متابعة هذا التنفيذ، ويمكن لمشغّل الخدمة معرفة السبب.',
    customer_not_reachable:
      'لم تُرسل. صار هذا الرقم لشخص آخر، ولا تُعرف وسيلة أخرى للوصول إلى هذا العميل.',
    sender_ended: 'انتهى ما أُعدّت الرسالة من أجله، فلم تُرسل.',
    message_restored:
      'استُعيدت الخدمة من نسخة احتياطية كانت فيها هذه الرسالة بانتظار الإرسال. لا يُعرف إن أُرسلت بعدها، ولن تُرسل تلقائيًا.',
    run_restored:
      'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا التنفيذ. لا يُعرف إلى أين وصل، ولم يُرسل شيء بعدها.',
    channel_disconnected: {
      text: 'القناة غير مرتبطة. {why}أعد ربطها.',
      forms: { why: { null: '', other: '{why, unchanged} ' } },
    },
    customer_has_not_begun: 'في هذه القناة يبدأ العميل المحادثة، ولم يكتب بعد.',
    channel_sends_nothing: 'لا يمكن الإرسال عبر هذه القناة.',
    reply_window_not_opened: {
      text: 'تُفتح نافذة الرد عندما يكتب العميل، {templateMaySend} قبل ذلك.',
      forms: { templateMaySend: { true: 'ولا يمكن إرسال غير قالب', false: 'ولا يمكن إرسال شيء' } },
    },
    reply_window_closed: {
      text: 'أُغلقت نافذة الرد: مضى على آخر رسالة من العميل أكثر من {hours, after hour}، {templateMaySend}.',
      forms: { templateMaySend: { true: 'ولا يمكن إرسال غير قالب', false: 'ولا يمكن إرسال شيء' } },
    },
    text_empty: 'الرسالة فارغة بعد ملء القيم.',
    text_too_long: {
      text: 'الرسالة بعد ملء القيم أطول من المسموح في القناة: طولها {unit}، والحد الأقصى {max}.',
      forms: { unit: { utf8_bytes: '{length, byte} بترميز UTF-8', other: '{length, character}' } },
    },
    template_missing: 'لا يوجد قالب باسم «{template}» في القناة.',
    template_not_approved: 'القالب «{template}» غير معتمد باللغة {language} ({versions}).',
    template_not_fillable: {
      text: 'في القالب «{template}» جزء لا يمكن للمسار تعبئته: {part}.',
      forms: {
        part: {
          header: 'رأس من نوع {type}',
          button: 'زر من نوع {type}',
          component: 'جزء من نوع {type}',
        },
      },
    },
    template_value_empty: 'القيمة «{value}» في القالب «{template}» فارغة.',
    account_templates_used_up:
      'نفدت حصة الحساب اليومية من القوالب الآلية ({max, template}، بتوقيت UTC).',
    customer_templates_used_up: 'بلغ العميل حد القوالب الآلية في آخر 24 ساعة ({max, template}).',
    message_gone: 'رسالة هذه الخطوة لم تعد موجودة.',
    send_unknown: 'لم يصل رد من المزوّد بعد، والتنفيذ بانتظاره.',
    send_never_told:
      'لم يؤكد المزوّد إرسال هذه الرسالة. لم تُرسل مرة أخرى حتى لا تصل إلى العميل مرتين.',
    provider_refused: {
      text: 'رفض المزوّد: {said}{providerCode}.',
      forms: {
        said: { '': 'بلا سبب مذكور', other: '{said}' },
        providerCode: { '': '', other: ' ({providerCode})' },
      },
    },
    message_undelivered: 'لم تصل الرسالة. {why, unchanged}',
    not_sent_channel_gone: 'لم يُرسل شيء: القناة لم تعد موجودة.',
    not_sent_credentials_unreadable: 'لم يُرسل شيء: تعذّرت قراءة بيانات الدخول المحفوظة للقناة.',
    not_sent_fault: 'لم يُرسل شيء بسبب خطأ في الخدمة: {fault}.',
    customer_without_address: 'لم يُرسل شيء: لا رقم للعميل ولا معرّف في القناة.',
    provider_not_reached: 'لم يُرسل شيء: تعذّر الوصول إلى المزوّد ({fault}).',
    provider_answer_cut: 'لم يصل رد كامل من المزوّد ({fault}).',
    call_not_begun: 'توقفت الخدمة قبل إرسال هذا الطلب، فلم يُرسل.',
    call_cut_off:
      'توقفت الخدمة أثناء هذا الطلب، ولا يُعرف إن استلمه نظامك. تحقق هناك. لم يُرسل مرة أخرى.',
    call_answer_not_json: 'لم يكن الرد بصيغة JSON، فلم تُحفظ منه قيمة.',
    call_kept_nothing: 'لا توجد قيمة في الرد عند المواضع: {paths, quoted}.',
  },
})
