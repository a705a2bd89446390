/** Phrases that the scripted model recognizes and writes, in Arabic and in English. It recognizes nothing else. */

/** The language of a conversation. */
export type Language = 'ar' | 'en'

/**
 * Returns a pattern of whole words, in the form of `normalizeText`. Arabic words may follow a prefix for "and", "the",
 * "with" or "for".
 */
function wordPattern(english: string, arabic: string): RegExp {
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${english}|[وفبل]?(?:ال|لل)?(?:${arabic}))(?![\p{L}\p{N}])`,
    'u',
  )
}

/** Patterns of what a customer wants, in Arabic and English. */
export const PATTERNS = {
  // A bot on Telegram is opened with /start.
  greeting: wordPattern(
    'hi|hello|hey|start|good (?:morning|evening)',
    'سلام عليكم|مرحبا|اهلا|هلا|صباح الخير|مساء الخير',
  ),
  help: wordPattern('help', 'مساعده|ساعدوني'),
  thanks: wordPattern('thanks|thank you', 'شكرا|مشكور|يعطيك العافيه'),
  answer: wordPattern(
    'yes|ok|okay|no|later|today|tomorrow',
    'نعم|ايوه|تمام|طيب|لا|لاحقا|بعدين|اليوم|بكره',
  ),
  person: wordPattern(
    'human|agent|real person|somebody real',
    'موظف|موظفه|انسان|شخص حقيقي|احد يكلمني',
  ),
  upset: wordPattern('terrible|awful|worst|angry|scam', 'سيء|سيئه|زفت|نصب|نصابين|محتالين'),
  cancel: wordPattern(
    'cancel|call off',
    'غ|غي|غاء|الغ|الغي|الغاء|الغوا|تلغي|تلغون|كنسل|الغيه|تلغيه',
  ),
  order: wordPattern('order|parcel|shipment', 'طلب|طلبي|طلبيه|طلبيتي|شحنه|شحنتي'),
  own: wordPattern('my|where|status', 'وين|اين|طلبي|شحنتي|طلبيتي|وصل|حاله'),
  appointment: wordPattern('appointment|visit|booking', 'موعد|موعدي|زياره|زيارتي|حجزي'),
  book: wordPattern(
    String.raw`book|reserve|schedule|appointment|visit|measur\w*`,
    'احجز|نحجز|حجز|موعد|زياره|قياس|مقاسات|المقاسات',
  ),
  bulk: wordPattern('wholesale|quotation|quote|bulk', 'جمله|عرض سعر|تسعيره'),
  measuring: wordPattern(String.raw`measur\w*`, 'قياس|مقاسات'),
} as const

/** A number with three digits or more, as order numbers have. */
export const ORDER_NUMBER = /(?<!\d)(\d{3,12})(?!\d)/
/** A time such as 10:30, or an hour after a word that marks it as one. */
export const CLOCK_TIME = /(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)/
/** A whole hour after "at" or its Arabic equivalents. */
export const HOUR = /(?:^|\s)(?:at|الساعه|ساعه|على)\s+(\d{1,2})(?!\d|:)/

const SENTENCES = {
  greeting: {
    en: 'Hello! I’m the demo shop’s assistant. Ask me about delivery, an order, or a visit to the showroom.',
    ar: 'أهلًا بك! أنا مساعد متجر التجربة. اسألني عن التوصيل أو عن طلبك أو عن زيارة المعرض.',
  },
  welcome: { en: 'You’re welcome!', ar: 'العفو، يسعدنا ذلك!' },
  answer: { en: 'All right, thanks for letting us know.', ar: 'حسنًا، شكرًا لإخبارنا.' },
  person: {
    en: 'Of course. A colleague will take it from here.',
    ar: 'بالتأكيد، سيتابع معك أحد زملائنا.',
  },
  sorry: {
    en: 'I’m sorry about that. A colleague will look into it personally.',
    ar: 'نعتذر عما حدث. سيهتم أحد زملائنا بالأمر بنفسه.',
  },
  unknown: {
    en: 'I don’t know that. A colleague will get back to you.',
    ar: 'لا أعرف ذلك. سيجيبك أحد زملائنا.',
  },
  which_order: {
    en: 'Which order is it? Please send me the order number.',
    ar: 'ما رقم الطلب من فضلك؟',
  },
  nothing_found: {
    en: 'I couldn’t find anything. Please check the number.',
    ar: 'لم أجد شيئًا بهذا. تحقق من الرقم من فضلك.',
  },
  not_checked: {
    en: 'I couldn’t check that just now.',
    ar: 'تعذّر التحقق من ذلك الآن.',
  },
  stated: { en: 'One moment:', ar: 'لحظة من فضلك:' },
  outcome_done: { en: 'All right, that’s done.', ar: 'حسنًا، تمت معالجة طلبك.' },
  outcome_failed: {
    en: 'I couldn’t do that just now. A colleague will look into it.',
    ar: 'تعذّر ذلك الآن. سيهتم به أحد زملائنا.',
  },
  outcome_refused: {
    en: 'The shop didn’t accept that, so nothing was changed. A colleague will look into it.',
    ar: 'لم يقبل المتجر ذلك، فلم يتغير شيء. سيهتم به أحد زملائنا.',
  },
  trial: {
    en: 'Here I’d tell you how it went.',
    ar: 'هنا أذكر ما نتج عن ذلك.',
  },
  withdrawn: {
    en: 'All right, I’ll leave everything as it is.',
    ar: 'حسنًا، يبقى كل شيء كما هو.',
  },
  ask_again: { en: 'Sorry, I didn’t quite get that.', ar: 'لم يتضح لي ردك.' },
  nothing_free: {
    en: 'There are no times available in the next few days.',
    ar: 'لا توجد أوقات متاحة في الأيام القادمة.',
  },
  booked: { en: 'We look forward to seeing you.', ar: 'نسعد برؤيتك.' },
  not_booked: {
    en: 'That time couldn’t be booked. Please choose another one.',
    ar: 'تعذّر أخذ هذا الوقت. اختر وقتًا آخر من فضلك.',
  },
  noted: {
    en: 'Of course. A colleague will send you a quote. How many do you need, and by when?',
    ar: 'بكل سرور. سيرسل إليك زميل عرضًا. كم تحتاج ومتى؟',
  },
  help: { en: 'How can I help?', ar: 'كيف يمكنني مساعدتك؟' },
} as const satisfies Record<string, Record<Language, string>>

/** Returns a fixed sentence of the scripted model in a language. */
export const say = (what: keyof typeof SENTENCES, language: Language): string =>
  SENTENCES[what][language]

/**
 * Writes the scripted model's offer of free times. The model reads it again from the history when the customer chooses.
 */
export const offerTimes = (
  { service, day, times }: { service: string; day: string; times: readonly string[] },
  language: Language,
): string =>
  language === 'ar'
    ? `${service}: هذه الأوقات متاحة يوم ${day}: ${times.join('، ')}. أيها يناسبك؟`
    : `${service}: on ${day} these times are free: ${times.join(', ')}. Which one suits you?`

/** Statuses in the responses of the merchant's API, with their Arabic translations. */
const IN_ARABIC: readonly (readonly [RegExp, string])[] = [
  [/\bOrder\b/g, 'الطلب'],
  [/\bStatus\b/g, 'الحالة'],
  [/\bshipped\b/g, 'شُحن'],
  [/\bbeing packed\b/g, 'قيد التجهيز'],
  [/\bcancelled\b/g, 'ملغى'],
]

/** Writes the result of an AI action as the scripted model's answer. */
export function formatStatus(lines: string, language: Language): string {
  if (language === 'en') return `This is what I found: ${lines.replaceAll('\n', ', ')}`
  const translated = IN_ARABIC.reduce(
    (text, [english, arabic]) => text.replace(english, arabic),
    lines,
  )
  return `هذا ما وجدته: ${translated.replaceAll('\n', '، ')}`
}

/** Writes the question for the customer's name and phone number that a booking needs. */
export const askWho = (day: string, time: string, language: Language): string =>
  language === 'ar'
    ? `لحجز ${day} الساعة ${time} اكتب اسمك ورقم هاتفك من فضلك.`
    : `For ${day} at ${time}, please write your name and phone number.`
