/** The words of a notice about language models: one that does not let us in, or the day's allowance. */
import type { ModelNoticeDetails, NoticeView } from '../contract/dashboard/notice.ts'
import { isolated, plain } from './isolate.ts'

export function modelWords(details: ModelNoticeDetails): NoticeView['words'] {
  return 'percent' in details ? allowanceWords(details) : brokenWords(details)
}

type Broken = Extract<ModelNoticeDetails, { why: string }>

const WHY: Record<Broken['why'], { en: string; ar: string }> = {
  unauthorized: { en: 'Its server does not accept the key.', ar: 'لا يقبل خادمه المفتاح.' },
  not_found: {
    en: 'Its server knows no model of this name at this address.',
    ar: 'لا يعرف خادمه نموذجًا بهذا الاسم على هذا العنوان.',
  },
  key_lost: {
    en: 'Its stored key cannot be read any more.',
    ar: 'لم يعد مفتاحه المحفوظ قابلًا للقراءة.',
  },
}

function brokenWords({ modelName, host, why }: Broken): NoticeView['words'] {
  const [name, at] = [isolated(plain(modelName)), isolated(plain(host))]
  return {
    en: {
      title: `Model ${name} is not asked any more`,
      text: `${WHY[why].en} Server: ${at}. The assistant goes on with the account's next model, and hands over where there is none. Mend it on the page of models.`,
    },
    ar: {
      title: `توقّف سؤال النموذج ${name}`,
      text: `${WHY[why].ar} الخادم: ${at}. يواصل المساعد بالنموذج التالي في الحساب، وإن لم يوجد حوّل إلى الموظفين. أصلحوه في صفحة النماذج.`,
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
        ? "Today's allowance of the assistant is used up"
        : `${percent} % of today's allowance of the assistant is used`,
      text: `The account may use ${tokens} tokens of language models a day. ${
        isUsedUp
          ? 'Until midnight UTC the assistant hands over to staff.'
          : 'When they are used up, the assistant hands over to staff until midnight UTC.'
      }`,
    },
    ar: {
      title: isUsedUp ? 'نفدت حصة المساعد لليوم' : `استُخدم ${percent}٪ من حصة المساعد لليوم`,
      text: `يمكن للحساب استخدام ${isolated(tokens)} وحدة (token) من نماذج اللغة في اليوم. ${
        isUsedUp
          ? 'حتى منتصف الليل بتوقيت UTC يحوّل المساعد إلى الموظفين.'
          : 'وحين تنفد يحوّل المساعد إلى الموظفين حتى منتصف الليل بتوقيت UTC.'
      }`,
    },
  }
}
