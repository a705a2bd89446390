import type { BroadcastFacts } from '../../core/facts/broadcasts.ts'
import { defineFacts } from '../define-facts.ts'

export const broadcastFacts = defineFacts<BroadcastFacts>()({
  en: {
    no_such_broadcast: 'No broadcast with this ID.',
    broadcast_is: {
      text: 'The broadcast is {state}, so this can’t be done now.',
      forms: {
        state: {
          draft: 'a draft',
          scheduled: 'scheduled',
          preparing: 'being prepared',
          sending: 'being sent',
          paused: 'paused',
          done: 'completed',
          cancelled: 'cancelled',
        },
      },
    },
    broadcast_not_ready: 'The broadcast isn’t ready to send. Check what’s missing in each field.',
    too_many_broadcasts:
      'You can have at most {max, unfinished_broadcast}. Delete a draft or cancel one first.',
    opt_out_needed:
      '"{template}" is a marketing template. Put {{opt_out_link}} into a body or header value, or use a template with a STOP button',
    opt_out_link_in_ending:
      'is the end of a button’s link, where a full link doesn’t fit. Put {{opt_out_link}} into the body instead',
    broadcast_placeholder_unknown:
      'has the unknown placeholder "`{{{placeholder}}}`". Use contact.name, contact.phone, contact.email, contact.fields.KEY (KEY being one of your custom fields) or opt_out_link',
    broadcast_pace_too_high:
      'must be at most {max, message} per second, because this number is also used in the WhatsApp Business app',
    send_at_passed: 'is in the past. Choose a later time, or leave it out to send now',
    send_at_too_far: 'must be at most {days, day} ahead',
    broadcast_not_over: 'The broadcast hasn’t finished yet. Wait until it finishes, or cancel it.',
    broadcast_none_failed:
      'There’s no one to send this to again: no message failed, or the recipients are no longer stored.',
    recipient_skipped: {
      text: '{reason}, so nothing is sent',
      forms: {
        reason: {
          opted_out: 'has opted out',
          marketing_stopped: 'has opted out of marketing messages from this number on WhatsApp',
          no_number: 'has no number that can be messaged on this channel',
          same_number: 'has the same number as another recipient',
          value_missing: 'is missing a value the template needs',
        },
      },
    },
    placeholder_empty: 'The contact has no value for "`{{{placeholder}}}`".',
    broadcast_refused: 'The provider stopped accepting messages: {why, unchanged}',
    broadcast_failing: 'The last {max, message} all failed. Check why before you resume.',
    template_recategorised:
      'The provider moved the template "{template}" ({language}) from {was} to {is}, which may cost more and reach fewer people. Check it before you resume.',
    broadcast_restored:
      'The service was restored from a backup made while this broadcast was being sent, so we don’t know how far it got. If you resume it, some people may get the message twice.',
  },
  ar: {
    no_such_broadcast: 'هذه الرسالة الجماعية غير موجودة.',
    broadcast_is: {
      text: 'الرسالة الجماعية {state}، ولا يمكن هذا الآن.',
      forms: {
        state: {
          draft: 'مسودة',
          scheduled: 'مجدولة',
          preparing: 'قيد التحضير',
          sending: 'قيد الإرسال',
          paused: 'متوقفة مؤقتًا',
          done: 'مكتملة',
          cancelled: 'ملغاة',
        },
      },
    },
    broadcast_not_ready: 'لا يمكن إرسال الرسالة الجماعية بعد. راجع ما ينقص في كل حقل.',
    too_many_broadcasts:
      'بلغت الرسائل الجماعية غير المنتهية الحد الأقصى: {max}. احذف مسودة أو ألغِ واحدة أولًا.',
    opt_out_needed:
      '«{template}» قالب تسويقي: ضع `{{opt_out_link}}` في قيمة من نصه أو رأسه، أو استخدم قالبًا فيه زر `STOP`',
    opt_out_link_in_ending: 'هذه نهاية رابط زر، ولا تتسع لرابط كامل: ضع `{{opt_out_link}}` في النص',
    broadcast_placeholder_unknown:
      'متغيّر غير معروف «`{{{placeholder}}}`»: استخدم `contact.name` أو `contact.phone` أو `contact.email` أو `contact.fields.KEY` لحقل لديك أو `opt_out_link`',
    broadcast_pace_too_high:
      'الحد الأقصى في الثانية على هذا الرقم {max}، لأن صاحبه يستخدمه في تطبيق واتساب أيضًا',
    send_at_passed: 'مضى هذا الوقت: اختر وقتًا لاحقًا، أو اتركه فارغًا للبدء فورًا',
    send_at_too_far: 'أبعد موعد للإرسال من الآن بالأيام: {days}',
    broadcast_not_over: 'لم تنته الرسالة الجماعية بعد. انتظر نهايتها أو ألغها.',
    broadcast_none_failed:
      'لا يوجد من تُعاد الرسالة إليه: لم تفشل أي رسالة، أو لم يعد المستلمون محفوظين.',
    recipient_skipped: {
      text: '{reason}، فلم يُرسل شيء',
      forms: {
        reason: {
          opted_out: 'الرسائل موقوفة لجهة الاتصال',
          marketing_stopped: 'أوقفت جهة الاتصال الرسائل التسويقية من هذا الرقم عبر واتساب',
          no_number: 'ليس لجهة الاتصال رقم على هذه القناة',
          same_number: 'الرقم نفسه لمستلم آخر',
          value_missing: 'تنقص جهة الاتصال قيمة يحتاج إليها القالب',
        },
      },
    },
    placeholder_empty: 'لا توجد لدى جهة الاتصال قيمة لـ «`{{{placeholder}}}`».',
    broadcast_refused: 'لم يعد المزوّد يقبل الرسائل: {why, unchanged}',
    broadcast_failing: 'فشلت آخر الرسائل كلها وعددها {max}. راجع السبب قبل الاستئناف.',
    template_recategorised:
      'غيّر المزوّد فئة القالب «{template}» باللغة {language} من {was} إلى {is}، وقد ترتفع التكلفة ويقل عدد من تصلهم الرسالة. راجعه قبل الاستئناف.',
    broadcast_restored:
      'استُعيدت الخدمة من نسخة احتياطية أُخذت أثناء هذا الإرسال، ولا يُعرف إلى أين وصل. قد يتكرر الإرسال إلى بعض المستلمين عند الاستئناف.',
  },
})
