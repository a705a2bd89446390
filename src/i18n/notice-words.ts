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
import { defineWords } from '../core/words/define-words.ts'
import { momentInText, wallTimeIn } from './date-words.ts'
import { isolated, plain, withoutIsolates } from './isolate.ts'
import { modelWords } from './model-notice-words.ts'
import { withoutLinks } from './without-links.ts'
import { sayIn } from './write-text.ts'
import { DELIVERY_LIMITS } from '../core/limits/deliveries.ts'
import { RETENTION } from '../core/limits/retention.ts'
import { DAY_MS, HOUR_MS } from '../core/limits/units.ts'

const words = defineWords({
  en: {
    unknown: 'Something needs your attention',
    unknown_text: 'Sign in to see the details.',
    dashboard: 'Dashboard:',
    company: 'Company: {company, unchanged}.',
    mentioned: '{name, unchanged} mentioned you in a note',
    outside: {
      one: '1 appointment is now outside opening hours',
      other: '{n} appointments are now outside opening hours',
    },
    outside_changed: 'Opening hours changed, and these appointments stay booked:',
    outside_all: '{named, unchanged}.',
    outside_first: '{named, unchanged}, ….',
    outside_now: 'Reschedule or cancel those that no longer fit.',
    switched_off: 'Webhook endpoint "{name, unchanged}" was switched off',
    switched_off_now:
      'Fix the problem, send a test, switch the endpoint on, then send the held deliveries. Switching it on doesn’t send them automatically.',
    held: 'Its events are held for {days} days, then expire.',
    failing: 'Webhook endpoint "{name, unchanged}" is failing',
    failing_next:
      'After {failures} failures in a row, or {days} days without a success, it’s switched off and its events are held.',
    failing_now: 'Open the delivery log to see every attempt and how to fix it.',
    gone: 'Your server returned 410 Gone, meaning it no longer exists.',
    failing_for_days: 'It failed for {hours} hours without a success{since, unchanged}.',
    failures_in_row: 'It failed {n, plain} times in a row{since, unchanged}.',
    kept_failing: 'It kept failing.',
    since: ', since {since, unchanged}',
    last: 'Last attempt: {last}.',
  },
  ar: {
    unknown: 'هناك ما يحتاج إلى انتباهك',
    unknown_text: 'سجّل الدخول للاطلاع عليه.',
    dashboard: 'لوحة التحكم:',
    company: 'المشروع: {company, unchanged}.',
    mentioned: 'ذُكر اسمك في ملاحظة · {name, unchanged}',
    outside: {
      zero: 'مواعيد خارج ساعات العمل الآن: لا مواعيد',
      one: 'مواعيد خارج ساعات العمل الآن: موعد واحد',
      two: 'مواعيد خارج ساعات العمل الآن: موعدان',
      few: 'مواعيد خارج ساعات العمل الآن: {n} مواعيد',
      many: 'مواعيد خارج ساعات العمل الآن: {n} موعدًا',
      other: 'مواعيد خارج ساعات العمل الآن: {n} موعد',
    },
    outside_changed: 'تغيّرت ساعات العمل، وما حُجز يبقى محجوزًا.',
    outside_all: '{named, unchanged}.',
    outside_first: '{named, unchanged}، ….',
    outside_now: 'انقل ما لا يناسب منها أو ألغه.',
    switched_off: 'أُوقفت نقطة الاستقبال «{name, unchanged}»',
    switched_off_now:
      'أصلحها، ثم أرسل حدثًا تجريبيًا، ثم فعّلها، ثم أرسل المعلّق: التفعيل وحده لا يرسل شيئًا.',
    held: 'تبقى أحداثها معلّقة {days, day}، ثم تنتهي صلاحيتها.',
    failing: 'نقطة الاستقبال «{name, unchanged}» متعثّرة',
    failing_next:
      'بعد {failures} محاولة فاشلة متتالية، أو {days, day} بلا نجاح، تُوقف وتبقى أحداثها معلّقة.',
    failing_now: 'راجع سجل التسليم: فيه كل محاولة وما يلزم بشأنها.',
    gone: 'ردّت بالرمز 410، أي أنها لم تعد موجودة.',
    failing_for_days: 'فشلت كل محاولاتها خلال {hours} ساعة{since, unchanged}.',
    failures_in_row: 'فشلت {n, after time} على التوالي{since, unchanged}.',
    kept_failing: 'تكرر فشلها.',
    since: ' منذ {since, unchanged}',
    last: 'آخر محاولة: {last}.',
  },
})

/** The values of a stored notice. */
export type NoticeFacts = {
  kind: string
  companyName: string | null
  /** The time zone of the company, an IANA name. */
  timeZone: string
  /** The details of its kind, as JSON text. */
  details: string
}

/** Returns the title and text of a notice in both languages. */
export function writeNoticeTexts(facts: NoticeFacts): NoticeView['words'] {
  return { ar: wordsIn('ar', facts), en: wordsIn('en', facts) }
}

function wordsIn(language: Language, facts: NoticeFacts): NoticeWords {
  const mention = readMention(facts)
  if (mention) return mentionWords(mention, language)
  const outside = readOutside(facts)
  if (outside) return outsideWords(outside, facts.companyName, language)
  const model = readModel(facts)
  if (model) return modelWords(model, language)
  const endpoint = readEndpoint(facts)
  if (endpoint) return endpointWords(endpoint, facts, language)
  const t = sayIn(words, language)
  return { title: t('unknown'), text: t('unknown_text') }
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

function readEndpoint({ kind, details }: NoticeFacts): EndpointNoticeDetails | null {
  if (kind !== 'endpoint_switched_off' && kind !== 'endpoint_failing') return null
  return EndpointNoticeDetails.safeParse(JSON.parse(details)).data ?? null
}

function outsideWords(
  { count, appointments }: OutsideNoticeDetails,
  companyName: string | null,
  language: Language,
): NoticeWords {
  const t = sayIn(words, language)
  const named = appointments.map(({ reference, local }) =>
    isolated(`${plain(reference)} ${wallTimeIn(language, plain(local))}`),
  )
  return {
    title: t('outside', { n: count }),
    text: paragraph(
      ofCompany(companyName, language),
      t('outside_changed'),
      t(appointments.length < count ? 'outside_first' : 'outside_all', { named }),
      t('outside_now'),
    ),
  }
}

function ofCompany(companyName: string | null, language: Language): string | null {
  if (!companyName) return null
  return sayIn(words, language)('company', { company: isolated(plain(companyName)) })
}

function mentionWords({ by, text }: MentionDetails, language: Language): NoticeWords {
  const name = isolated(plain(by))
  return { title: sayIn(words, language)('mentioned', { name }), text: isolated(plain(text)) }
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
  const { ar, en } = writeNoticeTexts(bare(facts))
  return {
    subject: `${withoutIsolates(en.title)} | ${withoutIsolates(ar.title)}`,
    text: [
      ar.title,
      ar.text,
      sayIn(words, 'ar')('dashboard'),
      signInUrl,
      '―――',
      en.title,
      en.text,
      `${sayIn(words, 'en')('dashboard')} ${signInUrl}`,
      '',
    ].join('\n\n'),
  }
}

const HELD_DAYS = RETENTION.waitingEventMs / DAY_MS
const OFF_AFTER = DELIVERY_LIMITS.switchOffAfterFailuresInRow
const OFF_DAYS = DELIVERY_LIMITS.switchOffAfterFailingMs / DAY_MS
const OFF_HOURS = DELIVERY_LIMITS.switchOffAfterFailingMs / HOUR_MS

function endpointWords(
  details: EndpointNoticeDetails,
  { kind, companyName, timeZone }: NoticeFacts,
  language: Language,
): NoticeWords {
  const t = sayIn(words, language)
  const { failingSince } = details
  const name = isolated(plain(details.endpointName))
  const company = ofCompany(companyName, language)
  const since =
    failingSince === null
      ? ''
      : t('since', { since: momentInText(language, new Date(failingSince), timeZone) })
  const last = lastOf(details)
  const failures = { n: details.failuresInRow, hours: OFF_HOURS, since }
  if (kind === 'endpoint_failing') {
    return {
      title: t('failing', { name }),
      text: paragraph(
        company,
        t('failures_in_row', failures),
        last && t('last', { last }),
        t('failing_next', { failures: OFF_AFTER, days: OFF_DAYS }),
        t('failing_now'),
      ),
    }
  }
  const why = {
    gone: () => t('gone'),
    failing_for_days: () => t('failing_for_days', failures),
    failures_in_row: () => t('failures_in_row', failures),
    none: () => t('kept_failing'),
  }[details.reason ?? 'none']
  return {
    title: t('switched_off', { name }),
    text: paragraph(
      company,
      why(),
      details.reason !== 'gone' && last !== null && t('last', { last }),
      t('held', { days: HELD_DAYS }),
      t('switched_off_now'),
    ),
  }
}

function lastOf({ lastStatus, lastError }: EndpointNoticeDetails): string | null {
  if (lastStatus !== null) return `HTTP ${lastStatus}`
  return lastError
}

function paragraph(...sentences: (string | false | null)[]): string {
  return sentences.filter(Boolean).join(' ')
}
