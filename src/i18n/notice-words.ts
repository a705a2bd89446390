/**
 * Texts of a notice in Arabic and English, for the dashboard and for e-mail. Names that members chose are put in
 * direction isolates and lose line breaks and direction marks.
 */
import {
  EndpointNoticeDetails,
  MentionDetails,
  ModelNoticeDetails,
  OutsideNoticeDetails,
  type NoticeView,
  type NoticeWords,
} from '../contract/dashboard/notice.ts'
import type { Language } from '../core/vocabulary/hooks.ts'
import { momentIn, wallTimeIn } from './date-words.ts'
import { counted, countedAfter, countedInArabic } from './counted.ts'
import { isolated, plain, quotedInArabic, withoutIsolates } from './isolate.ts'
import { modelWords } from './model-notice-words.ts'
import { withoutLinks } from './without-links.ts'
import { DELIVERY_LIMITS } from '../core/limits/deliveries.ts'
import { RETENTION } from '../core/limits/retention.ts'
import { DAY_MS, HOUR_MS } from '../core/limits/units.ts'

export type NoticeFacts = {
  kind: string
  companyName: string | null
  /** The time zone of the company, an IANA name. */
  timeZone: string
  /** JSON text. */
  details: string
}

/** Returns the title and text of a notice in both languages. */
export function noticeWords(facts: NoticeFacts): NoticeView['words'] {
  const mention = readMention(facts)
  if (mention) return mentionWords(mention)
  const outside = readOutside(facts)
  if (outside) return outsideWords(outside, facts.companyName)
  const model = readModel(facts)
  if (model) return modelWords(model)
  const read = readDetails(facts.details)
  const details = read && { ...read, timeZone: facts.timeZone }
  const shop = facts.companyName ? plain(facts.companyName) : null
  const wordsOf = details && WORDS[facts.kind]
  return wordsOf ? { ar: wordsOf.ar(details, shop), en: wordsOf.en(details, shop) } : UNKNOWN
}

/** Returns the details of a notice about a mention; null for any other notice. */
export function readMention({ kind, details }: NoticeFacts): MentionDetails | null {
  if (kind !== 'mentioned') return null
  return MentionDetails.safeParse(JSON.parse(details)).data ?? null
}

function readOutside({ kind, details }: NoticeFacts): OutsideNoticeDetails | null {
  if (kind !== 'appointments_outside_hours') return null
  return OutsideNoticeDetails.safeParse(JSON.parse(details)).data ?? null
}

function readModel({ kind, details }: NoticeFacts): ModelNoticeDetails | null {
  if (kind !== 'model_broken' && kind !== 'model_allowance') return null
  return ModelNoticeDetails.safeParse(JSON.parse(details)).data ?? null
}

function outsideWords(
  { count, appointments }: OutsideNoticeDetails,
  companyName: string | null,
): NoticeView['words'] {
  const shop = companyName && isolated(plain(companyName))
  const named = (language: Language) =>
    appointments.map(({ reference, local }) =>
      isolated(`${plain(reference)} ${wallTimeIn(language, plain(local))}`),
    )
  const isAll = appointments.length >= count
  return {
    en: {
      title: `${counted(count, 'appointment is', 'appointments are')} now outside opening hours`,
      text: paragraph(
        shop && `Company: ${shop}.`,
        'Opening hours changed, and these appointments stay booked:',
        `${named('en').join(', ')}${isAll ? '' : ', …'}.`,
        'Reschedule or cancel those that no longer fit.',
      ),
    },
    ar: {
      title: `مواعيد خارج ساعات العمل الآن: ${countedInArabic(count, 'appointment')}`,
      text: paragraph(
        shop && `المشروع: ${shop}.`,
        'تغيّرت ساعات العمل، وما حُجز يبقى محجوزًا.',
        `${named('ar').join('، ')}${isAll ? '' : '، …'}.`,
        'انقل ما لا يناسب منها أو ألغه.',
      ),
    },
  }
}

function mentionWords({ by, text }: MentionDetails): NoticeView['words'] {
  const [name, said] = [isolated(plain(by)), isolated(plain(text))]
  return {
    ar: { title: `ذُكر اسمك في ملاحظة · ${name}`, text: said },
    en: { title: `${name} mentioned you in a note`, text: said },
  }
}

/**
 * Returns the facts with every name and text changed so that mail programs make no link of it. The host of a model
 * stays unchanged.
 */
function bare({ companyName, details, ...facts }: NoticeFacts): NoticeFacts {
  const written: unknown = JSON.parse(details, (key, value: unknown) =>
    NAMED.has(key) && typeof value === 'string' ? withoutLinks(value) : value,
  )
  const name = companyName === null ? null : withoutLinks(companyName)
  return { ...facts, companyName: name, details: JSON.stringify(written) }
}

/** The details that are free text. */
const NAMED: ReadonlySet<string> = new Set(['endpointName', 'modelName', 'by', 'text'])

/** Returns the e-mail of a notice, in both languages. The direction of a paragraph follows its first letter. */
export function noticeMail(
  facts: NoticeFacts,
  { signInUrl }: { signInUrl: string },
): {
  subject: string
  text: string
} {
  const { ar, en } = noticeWords(bare(facts))
  return {
    subject: `${withoutIsolates(en.title)} | ${withoutIsolates(ar.title)}`,
    text: [
      ar.title,
      ar.text,
      'لوحة التحكم:',
      signInUrl,
      '―――',
      en.title,
      en.text,
      `Dashboard: ${signInUrl}`,
      '',
    ].join('\n\n'),
  }
}

type Details = EndpointNoticeDetails & Pick<NoticeFacts, 'timeZone'>
type Words = (details: Details, shop: string | null) => NoticeWords

const WORDS: Record<string, { ar: Words; en: Words } | undefined> = {
  endpoint_switched_off: {
    en: (details, shop) => ({
      title: `Webhook endpoint ${nameOf(details)} was switched off`,
      text: paragraph(
        shop && `Company: ${isolated(shop)}.`,
        whyOffInEnglish(details),
        `Its events are held for ${HELD_DAYS} days, then expire.`,
        'Fix the problem, send a test, switch the endpoint on, then send the held deliveries. Switching it on doesn’t send them automatically.',
      ),
    }),
    ar: (details, shop) => ({
      title: `أُوقفت نقطة الاستقبال ${quotedInArabic(details.endpointName)}`,
      text: paragraph(
        shop && `المشروع: ${isolated(shop)}.`,
        whyOffInArabic(details),
        `تبقى أحداثها معلّقة ${countedInArabic(HELD_DAYS, 'day')}، ثم تنتهي صلاحيتها.`,
        'أصلحها، ثم أرسل حدثًا تجريبيًا، ثم فعّلها، ثم أرسل المعلّق: التفعيل وحده لا يرسل شيئًا.',
      ),
    }),
  },
  endpoint_failing: {
    en: (details, shop) => ({
      title: `Webhook endpoint ${nameOf(details)} is failing`,
      text: paragraph(
        shop && `Company: ${isolated(shop)}.`,
        `It failed ${details.failuresInRow} times in a row${sinceInEnglish(details)}.${lastInEnglish(details)}`,
        `After ${OFF_AFTER} failures in a row, or ${OFF_DAYS} days without a success, it’s switched off and its events are held.`,
        'Open the delivery log to see every attempt and how to fix it.',
      ),
    }),
    ar: (details, shop) => ({
      title: `نقطة الاستقبال ${quotedInArabic(details.endpointName)} متعثّرة`,
      text: paragraph(
        shop && `المشروع: ${isolated(shop)}.`,
        `فشلت ${countedAfter(details.failuresInRow, 'time')} على التوالي${sinceInArabic(details)}.${lastInArabic(details)}`,
        `بعد ${OFF_AFTER} محاولة فاشلة متتالية، أو ${countedInArabic(OFF_DAYS, 'day')} بلا نجاح، تُوقف وتبقى أحداثها معلّقة.`,
        'راجع سجل التسليم: فيه كل محاولة وما يلزم بشأنها.',
      ),
    }),
  },
}

const UNKNOWN = {
  en: { title: 'Something needs your attention', text: 'Sign in to see the details.' },
  ar: { title: 'هناك ما يحتاج إلى انتباهك', text: 'سجّل الدخول للاطلاع عليه.' },
}

const HELD_DAYS = RETENTION.waitingEventMs / DAY_MS
const OFF_AFTER = DELIVERY_LIMITS.switchOffAfterFailuresInRow
const OFF_DAYS = DELIVERY_LIMITS.switchOffAfterFailingMs / DAY_MS
const OFF_HOURS = DELIVERY_LIMITS.switchOffAfterFailingMs / HOUR_MS

function whyOffInEnglish(details: Details): string {
  switch (details.reason) {
    case 'gone':
      return 'Your server returned 410 Gone, meaning it no longer exists.'
    case 'failing_for_days':
      return `It failed for ${OFF_HOURS} hours without a success${sinceInEnglish(details)}.${lastInEnglish(details)}`
    case 'failures_in_row':
      return `It failed ${details.failuresInRow} times in a row${sinceInEnglish(details)}.${lastInEnglish(details)}`
    case null:
      return `It kept failing.${lastInEnglish(details)}`
  }
}

function whyOffInArabic(details: Details): string {
  switch (details.reason) {
    case 'gone':
      return 'ردّت بالرمز 410، أي أنها لم تعد موجودة.'
    case 'failing_for_days':
      return `فشلت كل محاولاتها خلال ${OFF_HOURS} ساعة${sinceInArabic(details)}.${lastInArabic(details)}`
    case 'failures_in_row':
      return `فشلت ${countedAfter(details.failuresInRow, 'time')} على التوالي${sinceInArabic(details)}.${lastInArabic(details)}`
    case null:
      return `تكرر فشلها.${lastInArabic(details)}`
  }
}

function sinceInEnglish({ failingSince, timeZone }: Details): string {
  return failingSince === null ? '' : `, since ${momentIn('en', new Date(failingSince), timeZone)}`
}

function sinceInArabic({ failingSince, timeZone }: Details): string {
  if (failingSince === null) return ''
  return ` منذ ${isolated(momentIn('ar', new Date(failingSince), timeZone))}`
}

function lastInEnglish(details: EndpointNoticeDetails): string {
  const last = lastOf(details)
  return last === null ? '' : ` Last attempt: ${last}.`
}

function lastInArabic(details: EndpointNoticeDetails): string {
  const last = lastOf(details)
  return last === null ? '' : ` آخر محاولة: ${isolated(last)}.`
}

function lastOf({ lastStatus, lastError }: EndpointNoticeDetails): string | null {
  if (lastStatus !== null) return `HTTP ${lastStatus}`
  return lastError === null ? null : plain(lastError)
}

function nameOf({ endpointName }: EndpointNoticeDetails): string {
  return `"${isolated(plain(endpointName))}"`
}

function paragraph(...sentences: (string | null)[]): string {
  return sentences.filter(Boolean).join(' ')
}

function readDetails(text: string): EndpointNoticeDetails | null {
  try {
    const read = EndpointNoticeDetails.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
