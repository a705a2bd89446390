/** Formats numbers with what they count, in Latin digits and in the form that the number requires. */

/** Formats a number with Latin digits and separators. */
export const written = (number: number): string => number.toLocaleString('en')

const ENGLISH = new Intl.PluralRules('en')
const ARABIC = new Intl.PluralRules('ar')

/** Formats a number with its English word in the singular or plural: "1 day", "3 days". */
export function counted(number: number, one: string, other: string): string {
  return `${written(number)} ${ENGLISH.select(number) === 'one' ? one : other}`
}

/** Forms of an Arabic word by number; `{n}` is the number. `twoAfter` follows a preposition. */
type Forms = {
  zero: string
  one: string
  two: string
  twoAfter: string
  few: string
  many: string
  other: string
}

const NOUNS = {
  appointment: forms('لا مواعيد', 'موعد واحد', 'موعدان', 'موعدين', 'مواعيد', 'موعدًا', 'موعد'),
  attempt: forms('لا محاولات', 'محاولة واحدة', 'محاولتان', 'محاولتين', 'محاولات', 'محاولة'),
  byte: forms('لا بايت', 'بايت واحد', 'بايتان', 'بايتين', 'بايتات', 'بايتًا', 'بايت'),
  call: forms('لا طلبات', 'طلب واحد', 'طلبان', 'طلبين', 'طلبات', 'طلبًا', 'طلب'),
  character: forms('لا أحرف', 'حرف واحد', 'حرفان', 'حرفين', 'أحرف', 'حرفًا', 'حرف'),
  day: forms('اليوم', 'يوم واحد', 'يومان', 'يومين', 'أيام', 'يومًا', 'يوم'),
  delivery: forms('لا تسليمات', 'تسليم واحد', 'تسليمان', 'تسليمين', 'تسليمات', 'تسليمًا', 'تسليم'),
  failure: forms(
    'لا محاولات فاشلة',
    'محاولة فاشلة واحدة',
    'محاولتان فاشلتان',
    'محاولتين فاشلتين',
    'محاولات فاشلة',
    'محاولة فاشلة',
    'محاولة فاشلة',
  ),
  field: forms('لا حقول', 'حقل واحد', 'حقلان', 'حقلين', 'حقول', 'حقلًا', 'حقل'),
  flow: forms('لا مسارات', 'مسار واحد', 'مساران', 'مسارين', 'مسارات', 'مسارًا', 'مسار'),
  hour: forms('أقل من ساعة', 'ساعة واحدة', 'ساعتان', 'ساعتين', 'ساعات', 'ساعة'),
  item: forms('لا عناصر', 'عنصر واحد', 'عنصران', 'عنصرين', 'عناصر', 'عنصرًا', 'عنصر'),
  minute: forms('أقل من دقيقة', 'دقيقة واحدة', 'دقيقتان', 'دقيقتين', 'دقائق', 'دقيقة'),
  reply: forms('لا ردود', 'رد واحد', 'ردان', 'ردين', 'ردود', 'ردًا', 'رد'),
  second: forms('أقل من ثانية', 'ثانية واحدة', 'ثانيتان', 'ثانيتين', 'ثوانٍ', 'ثانية'),
  service: forms('لا خدمات', 'خدمة واحدة', 'خدمتان', 'خدمتين', 'خدمات', 'خدمة'),
  step: forms('لا خطوات', 'خطوة واحدة', 'خطوتان', 'خطوتين', 'خطوات', 'خطوة'),
  template: forms('لا قوالب', 'قالب واحد', 'قالبان', 'قالبين', 'قوالب', 'قالبًا', 'قالب'),
  time: forms('ولا مرة', 'مرة واحدة', 'مرتان', 'مرتين', 'مرات', 'مرة'),
  wait: forms('لا انتظار', 'انتظار واحد', 'انتظاران', 'انتظارين', 'مرات انتظار', 'مرة انتظار'),
  variable: forms('لا متغيّرات', 'متغيّر واحد', 'متغيّران', 'متغيّرين', 'متغيّرات', 'متغيّرًا', 'متغيّر'),
} satisfies Record<string, Forms>

function forms(
  zero: string,
  one: string,
  two: string,
  twoAfter: string,
  few: string,
  many: string,
  other = many,
): Forms {
  const after = (noun: string) => `{n} ${noun}`
  return { zero, one, two, twoAfter, few: after(few), many: after(many), other: after(other) }
}

export type ArabicNoun = keyof typeof NOUNS

/** Formats a number with its Arabic word in the form that the number requires. */
export function countedInArabic(number: number, noun: ArabicNoun): string {
  return NOUNS[noun][ARABIC.select(number)].replace('{n}', written(number))
}

/** Formats a number with its Arabic word in the form after a preposition or a verb: «خلال دقيقتين». */
export function countedAfter(number: number, noun: ArabicNoun): string {
  return number === 2 ? NOUNS[noun].twoAfter : countedInArabic(number, noun)
}
