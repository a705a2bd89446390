import type { AssistantSetupFacts } from '../../core/facts/assistant-setup.ts'
import type { Catalog } from '../catalog.ts'

export const AR_ASSISTANT_SETUP: Catalog<AssistantSetupFacts> = {
  assistant_changed: () => 'غيّر شخص آخر إعدادات المساعد أثناء تعديلك. راجعها قبل الحفظ.',
  no_model_hears: () =>
    'لا يوجد بين النماذج المفعّلة ما يحوّل الصوت إلى نص: أضف أولًا نموذج تحويل الصوت إلى نص في أحدها',
  no_model_sees: () => 'لا يوجد بين النماذج المفعّلة ما يقرأ الصور: فعّل قراءة الصور أولًا في أحدها',
  no_such_reply: () => 'هذا الرد غير موجود بين ردود المساعد.',
  last_not_customers: () => 'يجب أن تنتهي برسالة من العميل',
  conversation_went_on: () =>
    'وصلت رسالة جديدة أثناء إعداد الاقتراح، فلم يعد مناسبًا. اطلب اقتراحًا آخر.',
}
