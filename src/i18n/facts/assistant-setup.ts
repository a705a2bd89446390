import type { AssistantSetupFacts } from '../../core/facts/assistant-setup.ts'
import { defineFacts } from '../define-facts.ts'

export const assistantSetupFacts = defineFacts<AssistantSetupFacts>()({
  en: {
    assistant_changed:
      'Someone else changed the assistant’s settings while you were editing. Review them before you save.',
    no_model_hears: 'needs an active model that can transcribe voice notes. Set one up first',
    no_model_sees: 'needs an active model that understands images. Set one up first',
    no_such_reply: 'No assistant reply with this ID.',
    last_not_customers: 'must end with a customer message',
    conversation_went_on:
      'Someone wrote in the meantime, so the suggestion no longer fits. Ask for a new one.',
  },
  ar: {
    assistant_changed: 'غيّر شخص آخر إعدادات المساعد أثناء تعديلك. راجعها قبل الحفظ.',
    no_model_hears:
      'لا يوجد بين النماذج المفعّلة ما يحوّل الصوت إلى نص: أضف أولًا نموذج تحويل الصوت إلى نص في أحدها',
    no_model_sees: 'لا يوجد بين النماذج المفعّلة ما يقرأ الصور: فعّل قراءة الصور أولًا في أحدها',
    no_such_reply: 'هذا الرد غير موجود بين ردود المساعد.',
    last_not_customers: 'يجب أن تنتهي برسالة من العميل',
    conversation_went_on: 'وصلت رسالة جديدة أثناء إعداد الاقتراح، فلم يعد مناسبًا. اطلب اقتراحًا آخر.',
  },
})
