import type { AssistantSetupFacts } from '../../facts/assistant-setup.ts'
import type { Sentences } from '../sentences.ts'

export const AR_ASSISTANT_SETUP: Sentences<AssistantSetupFacts> = {
  assistant_changed: () => 'غيّر شخص آخر إعدادات المساعد في هذه الأثناء. راجعها قبل أن تحفظ.',
  no_model_hears: () =>
    'ليس بين النماذج المفعّلة ما يكتب الرسائل الصوتية: أدخل أولًا نموذجًا للرسائل الصوتية عند أحدها',
  no_model_sees: () => 'ليس بين النماذج المفعّلة ما يقرأ الصور: فعّل ذلك أولًا عند أحدها',
  no_such_reply: () => 'لا يوجد رد للمساعد كهذا.',
  last_not_customers: () => 'يجب أن تنتهي برسالة من العميل',
  conversation_went_on: () => 'كُتب شيء في هذه الأثناء، فلم يعد الاقتراح مناسبًا. اطلب غيره.',
}
