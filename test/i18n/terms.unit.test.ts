/** One concept has one term in each language: the dictionaries of the screens, errors, e-mails and pages use those of docs/words.md and no other. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const SOURCES = path.join(import.meta.dirname, '../../src')
const FILES = globSync(['dashboard/**/*.{ts,tsx}', 'i18n/**/*.ts', 'core/words/*.ts'], {
  cwd: SOURCES,
  exclude: ['dashboard/node_modules/**', '**/*.test.ts'],
}).toSorted()
const ARABIC = /[\u0600-\u06FF]/
/** A text that people read has a space or begins with a capital letter; a code has neither. */
const READ = /^[A-Z“]|[a-z] [a-z]/

type Text = { at: string; text: string }

/** Returns the strings and the pieces of templates of a dictionary, with their lines: of a page of the dashboard, those that `defineWords` is given. */
function textsOf(file: string): Text[] {
  const source = readFileSync(path.join(SOURCES, file), 'utf8')
  const { program } = parseSync(file, source)
  const tables: { start: number; end: number }[] = []
  new Visitor({
    CallExpression: (call) => {
      if (source.startsWith('defineWords', call.start)) tables.push(call)
    },
  }).visit(program)
  const texts: Text[] = []
  const note = (start: number, text: string) => {
    const isRead =
      file.startsWith('i18n/') || tables.some((table) => table.start < start && start < table.end)
    const at = `${file}:${source.slice(0, start).split('\n').length}`
    if (isRead && text.trim() !== '') texts.push({ at, text })
  }
  new Visitor({
    Literal: ({ start, value }) => {
      if (typeof value === 'string') note(start, value)
    },
    TemplateElement: ({ start, value }) => note(start, value.raw),
  }).visit(program)
  return texts
}

const TEXTS = FILES.flatMap(textsOf)
const ENGLISH = TEXTS.filter(({ text }) => !ARABIC.test(text) && READ.test(text))
const IN_ARABIC = TEXTS.filter(({ text }) => ARABIC.test(text))

/** The term, and the words that texts used or could use in its place. */
const REFUSED_IN_ENGLISH: Record<string, RegExp> = {
  '80%': /\d %/,
  'account menu': /\byour menu\b/i,
  'AI action': /\bassistant actions?\b/i,
  'anyone, someone': /\b(whoever|whomever|somebody|anybody)\b/i,
  'at this rate': /\bat this pace\b/i,
  automatically: /\bby (itself|themselves)\b/i,
  'can’t, won’t': /\b(can not|cannot|could not|will not)\b/,
  'context window': /\blongest context\b/i,
  'corrected, fix': /\bmend(s|ed|ing)?\b/i,
  create: /\banew\b|\bmake an? (lead|flow|link|project|key|endpoint)\b/i,
  'custom field': /\bfields? of your own\b/i,
  demo: /\bdemonstration\b/i,
  email: /\be-mails?\b/i,
  'failed, in progress, started': /\b(gave up|under way|begun)\b/i,
  'hand back': /\bg(i|a)ves? back\b/i,
  'hand over': /\bhanded to the team\b/i,
  ID: /\bIds?\b|\b(this|its|an?|whole) ids?\b/,
  'import, skip': /\b(bring in|brought in|left out)\b/i,
  interest: /\btemperature\b/i,
  'no results': /\bnothing matches\b/i,
  notification: /\bNotices?\b/,
  'opted out': /\b(stopped all messages|messages are stopped)\b/i,
  'reply window': /\bservice window\b/i,
  'retry, next retry': /\bnext try\b/i,
  'saved reply': /\b(ready|canned) repl(y|ies)\b/i,
  'start, continue': /\b(begins?|goes on|go on|shall|hitherto)\b/i,
  teammate: /\bcolleagues?\b/i,
  time: /\b(time ?slots?|free times?)\b/i,
  'two-factor authentication': /\bsecond (factor|step)\b/i,
  username: /\buser names?\b/i,
  'while you were editing': /\bmeanwhile\b/i,
  'your team': /\bstaff\b/i,
}

const REFUSED_IN_ARABIC: Record<string, RegExp> = {
  'أثناء تعديلك': /في هذه الأثناء|في الأثناء/,
  'إعادة توجيه': /تحويل إلى \$|التحويلات/,
  'إلغاء الدعوة': /سحب الدعوة/,
  'إيقاف الرسائل': /إلغاء الاشتراك/,
  'اهتمام قوي': /ساخن/,
  الاختصارات: /^المفاتيح$/,
  'التحقق بخطوتين': /الخطوة الثانية/,
  'الحد الأقصى': /الحد الأعلى|على الأكثر/,
  'الرابط الأساسي': /العنوان الأساسي/,
  الرجاء: /يرجى|نأسف|تم القيام|عفوًا/,
  'العملاء المحتملون': /فرص البيع|فرصة بيع/,
  الفريق: /فريق العمل|الموظفين/,
  'القوالب الآلية': /مؤتمت/,
  المحادثات: /صندوق الوارد/,
  'انتهت المحاولات': /رسالة ميتة/,
  'بانتظار موظف': /بانتظار شخص|طلب شخصًا/,
  'بدء من نظامك': /خطّاف|خطاف/,
  'تجديد المفتاح': /تدوير/,
  تحقق: /تحقّق/,
  'تسجيل الدخول': /محاولات دخول|محاولة دخول|^دخول$|^خروج$/,
  تلقائيًا: /من تلقاء|من تلقائه|من نفسه/,
  تيليجرام: /تيليغرام/,
  'خطأ من جهتنا': /خلل/,
  'دردشة الموقع': /محادثة الموقع|محادثة في موقعك/,
  'رمز الدولة': /رمز البلد|رمز بلد/,
  'سبب الرد': /لماذا قال هذا/,
  'شخص آخر، أحد الأعضاء': /أحدهم(?!ا)/,
  'غير متاح في الباقة': /خارج الباقة|خارج باقتك|ليس من الباقة/,
  'لا نتائج مطابقة': /لا شيء يطابق|كهذا$/,
  لاحقًا: /لاحقاً/,
  محفّز: /زناد/,
  مسار: /تدفق/,
  'مسار الرابط': /مسلك/,
  مستبعد: /متروك|يُترك/,
  مستخدم: /مستعمل|استعم|استُعمل/,
  معلّق: /محتجز/,
  مكتمل: /^تمّ$|^تمّت$/,
  'نافذة الرد': /نافذة الخدمة/,
  'نقطة استقبال': /نقطة نهاية|نقاط النهاية/,
  'واتساب عبر رمز QR': /واتساب برمز QR/,
  'يرد المساعد': /يجيب المساعد|المساعد يجيب/,
}

const wrongOf = (texts: Text[], refused: Record<string, RegExp>) =>
  texts.flatMap(({ at, text }) =>
    Object.entries(refused)
      .filter(([, wrong]) => wrong.test(text))
      .map(([term]) => `${at} says “${text}”: ${term}`),
  )

test('the dictionaries are read: thousands of texts in each language', () => {
  expect(ENGLISH.length).toBeGreaterThan(4_000)
  expect(IN_ARABIC.length).toBeGreaterThan(4_000)
})

test('an English text uses the one term of each thing', () => {
  expect(wrongOf(ENGLISH, REFUSED_IN_ENGLISH)).toEqual([])
})

test('an Arabic text uses the one term of each thing', () => {
  expect(wrongOf(IN_ARABIC, REFUSED_IN_ARABIC)).toEqual([])
})

test('no Arabic verb agrees with the name of a person, whose gender the service does not know', () => {
  const verb =
    /(أعاد|ألغى|أنهى|أسند|استلم|سجّل|غيّر|أضاف|كتب|ذكر|دعا|أوقف|فعّل|دمج)(ها|ه|ك|كم)? \{(name|by|inviter)\}/
  expect(IN_ARABIC.filter(({ text }) => verb.test(text))).toEqual([])
})
