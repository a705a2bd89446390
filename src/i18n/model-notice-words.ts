/** Texts of a notice about language models: one that refuses the credential, or the daily allowance. */
import type { ModelNoticeDetails, NoticeView } from '../contract/dashboard/notice.ts'
import { isolated, plain } from './isolate.ts'

/** Returns the title and text, in both languages, of a notice about a language model or its allowance. */
export function modelWords(details: ModelNoticeDetails): NoticeView['words'] {
  return 'percent' in details ? allowanceWords(details) : brokenWords(details)
}

type Broken = Extract<ModelNoticeDetails, { why: string }>

const WHY: Record<Broken['why'], { en: string; ar: string }> = {
  unauthorized: { en: 'Its server rejected the API key.', ar: 'رفض خادمه المفتاح.' },
  not_found: {
    en: 'Its server has no model with this name at this URL.',
    ar: 'لا يعرف خادمه نموذجًا بهذا الاسم في هذا الرابط.',
  },
  key_lost: {
    en: 'Its saved API key can no longer be read.',
    ar: 'تعذّرت قراءة مفتاحه المحفوظ.',
  },
}

function brokenWords({ modelName, host, why }: Broken): NoticeView['words'] {
  const [name, at] = [isolated(plain(modelName)), isolated(plain(host))]
  return {
    en: {
      title: `Model ${name} is no longer in use`,
      text: `${WHY[why].en} Server: ${at}. The assistant uses the account’s next model, or hands over to your team if there is none. Fix it under Assistant, Models.`,
    },
    ar: {
      title: `توقّف استخدام النموذج ${name}`,
      text: `${WHY[why].ar} الخادم: ${at}. يواصل المساعد بالنموذج التالي في الحساب، وإن لم يوجد حوّل المحادثات إلى الفريق. أصلح النموذج من صفحة النماذج.`,
    },
  }
}

function allowanceWords({
  percent,
  tokensPerDay,
}: Exclude<ModelNoticeDetails, Broken>): NoticeView['words'] {
  const tokens = tokensPerDay.toLocaleString('en-US')
  const isUsedUp = percent >= 100
  return {
    en: {
      title: isUsedUp
        ? 'Today’s assistant allowance is used up'
        : `${percent}% of today’s assistant allowance is used`,
      text: `The account can use ${tokens} language model tokens a day. ${
        isUsedUp
          ? 'The assistant hands over to your team until midnight UTC.'
          : 'When they run out, the assistant hands over to your team until midnight UTC.'
      }`,
    },
    ar: {
      title: isUsedUp ? 'نفدت حصة المساعد لليوم' : `استُهلك ${percent}% من حصة المساعد لليوم`,
      text: `حصة الحساب في اليوم ${isolated(tokens)} من الوحدات (tokens) لنماذج اللغة. ${
        isUsedUp
          ? 'يحوّل المساعد المحادثات إلى الفريق حتى منتصف الليل بتوقيت UTC.'
          : 'عند نفادها يحوّل المساعد المحادثات إلى الفريق حتى منتصف الليل بتوقيت UTC.'
      }`,
    },
  }
}
