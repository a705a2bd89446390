/** Texts of a notice about language models: one that refuses the credential, or the daily allowance. */
import type { ModelNoticeDetails, NoticeWords } from '../contract/dashboard/notice.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { defineWords } from '../core/words/define-words.ts'
import { isolated, plain } from './isolate.ts'
import { sayIn } from './write-text.ts'

const words = defineWords({
  en: {
    broken: 'Model {model, unchanged} is no longer in use',
    broken_text:
      '{why, unchanged} Server: {host, unchanged}. The assistant uses the account’s next model, or hands over to your team if there is none. Fix it under Assistant, Models.',
    unauthorized: 'Its server rejected the API key.',
    not_found: 'Its server has no model with this name at this URL.',
    key_lost: 'Its saved API key can no longer be read.',
    used_up: 'Today’s assistant allowance is used up',
    used: '{percent}% of today’s assistant allowance is used',
    used_up_text:
      'The account can use {tokens} language model tokens a day. The assistant hands over to your team until midnight UTC.',
    used_text:
      'The account can use {tokens} language model tokens a day. When they run out, the assistant hands over to your team until midnight UTC.',
  },
  ar: {
    broken: 'توقّف استخدام النموذج {model, unchanged}',
    broken_text:
      '{why, unchanged} الخادم: {host, unchanged}. يواصل المساعد بالنموذج التالي في الحساب، وإن لم يوجد حوّل المحادثات إلى الفريق. أصلح النموذج من صفحة النماذج.',
    unauthorized: 'رفض خادمه المفتاح.',
    not_found: 'لا يعرف خادمه نموذجًا بهذا الاسم في هذا الرابط.',
    key_lost: 'تعذّرت قراءة مفتاحه المحفوظ.',
    used_up: 'نفدت حصة المساعد لليوم',
    used: 'استُهلك {percent}% من حصة المساعد لليوم',
    used_up_text:
      'حصة الحساب في اليوم `{tokens}` من الوحدات (tokens) لنماذج اللغة. يحوّل المساعد المحادثات إلى الفريق حتى منتصف الليل بتوقيت UTC.',
    used_text:
      'حصة الحساب في اليوم `{tokens}` من الوحدات (tokens) لنماذج اللغة. عند نفادها يحوّل المساعد المحادثات إلى الفريق حتى منتصف الليل بتوقيت UTC.',
  },
})

/** Returns the title and text of a notice about a language model or its allowance. */
export function modelWords(details: ModelNoticeDetails, language: Language): NoticeWords {
  const t = sayIn(words, language)
  if ('percent' in details) {
    const { percent, tokensPerDay: tokens } = details
    if (percent >= 100) return { title: t('used_up'), text: t('used_up_text', { tokens }) }
    return { title: t('used', { percent }), text: t('used_text', { tokens }) }
  }
  const [model, host] = [isolated(plain(details.modelName)), isolated(plain(details.host))]
  return { title: t('broken', { model }), text: t('broken_text', { why: t(details.why), host }) }
}
