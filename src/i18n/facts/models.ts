import type { ModelFacts } from '../../core/facts/models.ts'
import { defineFacts } from '../define-facts.ts'

export const modelFacts = defineFacts<ModelFacts>()({
  en: {
    model_timeout: 'The model didn’t respond within {seconds} s. Try again, or use a faster one.',
    model_unreachable:
      'The model’s server couldn’t be reached. Check the base URL and that the server is running.',
    model_address_refused:
      'The base URL leads to a network that isn’t public. Use one that’s reachable from the internet over https.',
    model_rate_limited:
      'The model’s server is rate limiting us (429). Check your plan and credit there, then try again.',
    model_server_error: 'The model’s server returned an error ({status}). Try again later.',
    model_unauthorized:
      'The model’s server rejected the API key. Check that it’s complete and can be used with this model.',
    model_not_found:
      'The server has no model with this name at this URL. Check the name and the base URL; most end in /v1.',
    model_context_too_long:
      'The request has more tokens than the model accepts. Use a model with a larger context window.',
    model_bad_request:
      'The model’s server rejected the request ({status}). Check the provider and the model name.',
    model_redirect_refused:
      'The server redirected us. Redirects aren’t followed, to protect your API key. Use the final URL.',
    model_answer_too_large:
      'The response is larger than {max, plain} bytes. Check that the base URL leads to a model.',
    model_answer_unreadable:
      'The response isn’t from a language model. Check the base URL and the provider; most base URLs end in /v1.',
    model_answer_empty: 'The model’s response was empty. Try again, or use another model.',
    model_answer_only_reasoned:
      'The model used its whole response for reasoning and gave no reply. Switch off reasoning on its server, or choose another model.',
    model_filtered: 'The provider’s content filter blocked the response. Use another model.',
    model_key_lost: 'The saved API key can no longer be read. Enter it again.',
    model_without_tools:
      'The model responded but didn’t use the tool it was given. The assistant needs a model that supports tools.',
    model_reasons_in_text:
      'The model’s server sends the reasoning as part of the text. Switch on the server’s reasoning parser, or switch off reasoning there.',
    model_calls_in_text:
      'The model’s server sends tool calls as text. Switch on the server’s tool parser for this model.',
    model_hears_nothing:
      'The server couldn’t transcribe a test recording with this model. Check the name, and that the server has /audio/transcriptions.',
    model_kind_hears_nothing:
      'This provider doesn’t transcribe voice notes. Leave this empty, and set it on a model from another provider.',
    model_sees_nothing:
      'The model rejected a test image. Switch this on only for models that understand images.',
    model_not_saved: 'Nothing was saved. Fix the problem with the model first.',
    no_such_model: 'No model with this ID in this account.',
    models_used_up: 'You can have at most {max} models. Delete one first.',
    model_key_needed: 'Enter an API key: this provider requires one.',
    model_key_needed_again:
      'The base URL now leads to another server. Enter the API key again, so that the old one isn’t sent there.',
    model_base_url_needed: 'Enter a base URL: this provider has no default.',
    model_changed: 'Someone else changed this model. Reload it and try again.',
    models_in_order: 'List every model in the account exactly once, in the order you want.',
    model_tests_a_minute:
      'You can test models at most {max} times a minute. Try again at {freeAt, utc}.',
    model_allowance_too_high:
      'The operator of this service allows up to {max, plain} tokens a day. Enter a lower number.',
    model_allowance_used_up:
      'Today’s token allowance is used up. Raise it, or try again after midnight UTC.',
  },
  ar: {
    model_timeout: 'لم يستجب النموذج خلال المهلة ({seconds} ث). أعد المحاولة، أو اختر نموذجًا أسرع.',
    model_unreachable: 'تعذّر الوصول إلى خادم النموذج. تحقق من الرابط الأساسي ومن أن الخادم يعمل.',
    model_address_refused:
      'يشير رابط النموذج إلى شبكة غير عامة. أدخل رابطًا متاحًا من الإنترنت عبر https.',
    model_rate_limited:
      'لا يقبل خادم النموذج طلبات أخرى الآن (429). تحقق من الباقة والرصيد لديه ثم أعد المحاولة.',
    model_server_error: 'ردّ خادم النموذج بخطأ ({status}). أعد المحاولة لاحقًا.',
    model_unauthorized:
      'رفض خادم النموذج المفتاح. تأكد من أنه كامل ومن أنه يسمح باستخدام هذا النموذج.',
    model_not_found:
      'لا يعرف الخادم نموذجًا بهذا الاسم في هذا الرابط. تحقق من الاسم ومن الرابط الأساسي؛ ينتهي أغلبها بـ `/v1`.',
    model_context_too_long: 'يقبل النموذج وحدات أقل مما في السؤال. اختر نموذجًا يقبل أكثر.',
    model_bad_request: 'رفض خادم النموذج السؤال ({status}). تحقق من نوع النموذج واسمه.',
    model_redirect_refused:
      'يعيد الخادم التوجيه إلى رابط آخر، ولا نتبعه مع المفتاح. أدخل الرابط النهائي.',
    model_answer_too_large:
      'الرد أكبر من الحد الأقصى ({max, plain} بايت). تأكد من أن الرابط الأساسي لنموذج.',
    model_answer_unreadable:
      'ما وصل ليس رد نموذج. تحقق من الرابط الأساسي والنوع؛ تنتهي أغلب الروابط بـ `/v1`.',
    model_answer_empty: 'كان رد النموذج فارغًا. أعد المحاولة، أو اختر نموذجًا آخر.',
    model_answer_only_reasoned:
      'استهلك التفكير كل الرد، ولم يقدّم النموذج جوابًا. أوقف التفكير في خادمه، أو اختر نموذجًا آخر.',
    model_filtered: 'حجبت تصفية المزوّد الرد. اختر نموذجًا آخر.',
    model_key_lost: 'لم يعد من الممكن قراءة المفتاح المحفوظ. أدخله من جديد.',
    model_without_tools:
      'ردّ النموذج لكنه لم يستخدم الأداة المطلوبة. يحتاج المساعد إلى نموذج يستخدم الأدوات.',
    model_reasons_in_text:
      'يرسل خادم النموذج التفكير ضمن النص. فعّل في الخادم محلل التفكير، أو أوقف التفكير فيه.',
    model_calls_in_text:
      'يرسل خادم النموذج استدعاءات الأدوات نصًا. فعّل في الخادم محلل الأدوات لهذا النموذج.',
    model_hears_nothing:
      'لم يحوّل الخادم تسجيل الاختبار إلى نص بنموذج بهذا الاسم. تحقق من الاسم، ومن أن في الخادم `/audio/transcriptions`.',
    model_kind_hears_nothing:
      'خوادم هذا النوع لا تحوّل الصوت إلى نص. اترك الحقل فارغًا هنا، وأدخله مع نموذج من نوع آخر.',
    model_sees_nothing: 'رفض النموذج صورة اختبار. فعّل هذا للنماذج التي تقرأ الصور فقط.',
    model_not_saved: 'لم يُحفظ شيء. راجع المشكلة في النموذج.',
    no_such_model: 'هذا النموذج غير موجود في الحساب.',
    models_used_up: 'الحد الأقصى للنماذج في الحساب: {max}. احذف واحدًا قبل إضافة غيره.',
    model_key_needed: 'أدخل المفتاح: هذا النوع من النماذج يحتاج إليه.',
    model_key_needed_again:
      'الرابط لخادم آخر. أدخل المفتاح من جديد حتى لا يُرسل إليه المفتاح القديم.',
    model_base_url_needed: 'أدخل الرابط الأساسي: ليس لهذا النوع رابط افتراضي.',
    model_changed: 'غيّر شخص آخر هذا النموذج أثناء تعديلك. حمّله من جديد.',
    models_in_order: 'أدرج كل نماذج الحساب، كل نموذج مرة واحدة، بالترتيب المطلوب.',
    model_tests_a_minute:
      'الحد الأقصى لاختبارات النماذج في الدقيقة: {max}. أعد المحاولة عند {freeAt, utc}.',
    model_allowance_too_high:
      'الحد الأقصى للوحدات في اليوم الذي يسمح به مشغّل الخدمة: {max, plain}. أدخل هذا العدد أو أقل.',
    model_allowance_used_up:
      'نفدت حصة النماذج لليوم. ارفعها، أو أعد المحاولة بعد منتصف الليل بتوقيت UTC.',
  },
})
