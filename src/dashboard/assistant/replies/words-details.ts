import { defineWords } from '../../words/define-words.ts'

/** By the codes with which code says why it handed over. */
export const detailWords = defineWords({
  en: {
    model_unavailable: 'No model answered',
    no_model: 'No model can be asked',
    allowance_used_up: 'The tokens of the day are used up',
    out_of_time: 'Its time was up',
    out_of_requests: 'Its requests to models were used up',
    too_long: 'What it wrote stayed too long for the channel',
    not_fit_to_send: 'Twice it wrote what is never sent',
    fault: 'A fault of the service',
    false_done: 'It said that something was done, and nothing was',
    nothing_to_send: 'Nothing of what it wrote may be sent',
    send_refused: 'The provider refused the message',
    window_closed: 'The window for replies was closed',
    channel_disconnected: 'The channel was not connected',
    person_asked: 'The customer asked for a person',
    unreadable: 'Only something that it cannot read was sent',
  },
  ar: {
    model_unavailable: 'لم يُجب أي نموذج',
    no_model: 'لا نموذج متاح',
    allowance_used_up: 'استُهلكت وحدات اليوم',
    out_of_time: 'انتهى وقته',
    out_of_requests: 'استُهلكت طلباته إلى النماذج',
    too_long: 'بقي ما كتبه أطول مما تسمح به القناة',
    not_fit_to_send: 'كتب مرتين ما لا يُرسل أبدًا',
    fault: 'عطل في الخدمة',
    false_done: 'قال إن شيئًا تم، ولم يتم شيء',
    nothing_to_send: 'لا شيء مما كتبه يصلح للإرسال',
    send_refused: 'رفض المزوّد الرسالة',
    window_closed: 'كانت نافذة الرد مغلقة',
    channel_disconnected: 'لم تكن القناة متصلة',
    person_asked: 'طلب العميل شخصًا',
    unreadable: 'أُرسل ما لا يستطيع قراءته فقط',
  },
})
