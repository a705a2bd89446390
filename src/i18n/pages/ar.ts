import { countedAfter, countedInArabic } from '../counted.ts'
import { inArabic } from '../isolate.ts'
import type { PageWords } from './shape.ts'

/** An example from left to right among Arabic letters, on one line. */
const EXAMPLE = '\u2066+966\u00a050\u00a0123\u00a04567\u2069'

type Counted = typeof countedInArabic

/** Formats minutes in the largest unit without a remainder. */
function span(minutes: number, count: Counted): string {
  if (minutes % 1_440 === 0) return count(minutes / 1_440, 'day')
  if (minutes % 60 === 0) return count(minutes / 60, 'hour')
  return count(minutes, 'minute')
}

export const AR_PAGES: PageWords = {
  otherLanguage: 'English',
  aShop: 'المتجر',
  refusals: {
    not_found: {
      title: 'هذا الرابط لا يعمل',
      text: 'ربما نُسخ الرابط ناقصًا. افتحه مرة أخرى من الرسالة التي جاء فيها.',
    },
    wrong_method: { title: 'لا يمكن ذلك في هذه الصفحة', text: 'افتح الرابط في متصفح.' },
    foreign_form: {
      title: 'لم يُرسل شيء',
      text: 'جاء النموذج من صفحة أخرى. افتح الرابط نفسه وأرسل النموذج منه.',
    },
    form_too_large: { title: 'لم يُرسل شيء', text: 'النموذج أطول من اللازم. اختصر ما كُتب فيه.' },
    not_a_form: {
      title: 'لم يُرسل شيء',
      text: 'ما وصل ليس نموذج هذه الصفحة. افتح الرابط في متصفح.',
    },
    too_many: {
      title: 'طلبات كثيرة',
      text: 'وصلت طلبات كثيرة من هذا الاتصال. انتظر دقيقة ثم افتح الصفحة مرة أخرى.',
    },
    too_many_bookings: {
      title: 'لم يُحجز الموعد',
      text: 'حُجزت مواعيد كثيرة من هذا الاتصال. أعد المحاولة بعد ساعة، أو اتصل بالمتجر.',
    },
    too_many_moves: {
      title: 'لم يُنقل الموعد',
      text: 'حُجزت أو نُقلت مواعيد كثيرة من هذا الاتصال. حاول بعد ساعة أو اتصل بالمتجر.',
    },
    busy: { title: 'غير ممكن الآن', text: 'لم يتغيّر شيء. أعد المحاولة بعد دقيقة.' },
    moved: {
      title: 'نُقلت هذه الصفحة',
      text: 'صار للمتجر عنوان آخر. اطلب من المتجر رابطه الجديد.',
    },
    fault: { title: 'حدث خطأ', text: 'الخطأ من جهتنا. أعد المحاولة بعد دقيقة.' },
  },
  optOut: {
    title: 'إيقاف الرسائل',
    question: (shop) => `إيقاف كل الرسائل من ${inArabic(shop)}؟`,
    consequence: 'لن تصلك عروض ولا تذكيرات ولا رسائل أخرى على أي قناة. أما أسئلتك فيصلك الرد عليها.',
    act: 'إيقاف كل الرسائل',
    stopped: 'أُوقفت الرسائل',
    stoppedText: (shop) => `لن يرسل إليك ${inArabic(shop)} شيئًا بعد الآن.`,
    again: 'لاستئناف الرسائل أرسل كلمة START إلى المتجر.',
  },
  booking: {
    title: 'حجز موعد',
    closed: 'لا يمكن الحجز هنا الآن',
    closedText: 'الحجز عبر هذه الصفحة موقوف. يمكنك طلب موعد من المتجر مباشرة.',
    services: 'الخدمات',
    otherServices: 'كل الخدمات',
    minutes: (minutes) => span(minutes, countedInArabic),
    with: 'مع',
    anyone: 'أي شخص متاح',
    days: 'اليوم',
    times: (day, zone) => `${day}، ${zone}`,
    noTimes: (first, last) => `لا أوقات متاحة من ${first} إلى ${last}.`,
    earlier: 'أيام أسبق',
    later: 'أيام لاحقة',
    you: 'بياناتك',
    name: 'اسمك',
    country: 'دولة رقم الجوّال',
    countryUnchosen: 'اختر الدولة',
    phone: 'رقم الجوّال',
    phoneHelp: `كما يُكتب داخل الدولة، أو مع رمز الدولة: ${EXAMPLE}`,
    email: 'بريدك الإلكتروني (اختياري)',
    emailHelp: 'يصل إليه تأكيد الحجز إذا تعذّر إرساله في رسالة.',
    emailWrong: 'هذا ليس بريدًا إلكترونيًا صالحًا. صحّحه أو اتركه فارغًا.',
    isIt: (number) => `هل هو \u2066${number}\u2069؟`,
    isItWhy: 'إن لم يكن كذلك فغيّر الدولة أو الرقم أعلاه.',
    act: (day, time) => `حجز موعد ${day} الساعة ${time}`,
    confirm: (day, time) => `نعم، حجز موعد ${day} الساعة ${time}`,
    dayAndTime: (day, time) => `${day}، ${time}`,
    cancelUntil: (minutes) =>
      minutes === 0
        ? 'يمكنك الإلغاء حتى بداية الموعد.'
        : `يمكنك الإلغاء إن بقي على الموعد أكثر من ${span(minutes, countedAfter)}.`,
    notToBeCancelled: 'يبدأ هذا الموعد قريبًا ولا يمكن إلغاؤه هنا.',
    toFix: (count) => ['', 'بقي تصحيح واحد', 'بقي تصحيحان'][count] ?? `بقيت ${count} تصحيحات`,
    nameMissing: 'الاسم مطلوب.',
    nameTooLong: (max) => `الاسم أطول من ${countedAfter(max, 'character')}.`,
    countryMissing: `اختر دولة رقمك، أو اكتب رمز الدولة: ${EXAMPLE}`,
    phoneMissing: `رقم الجوّال مطلوب. مثال: ${EXAMPLE}`,
    phoneWrong: `الرقم ناقص أو غير صحيح. مثال: ${EXAMPLE}`,
    phoneNotOf: (country) =>
      `ليس هذا رقمًا صالحًا في ${country}. غيّر الدولة أو الرقم، أو اكتب رمز الدولة: ${EXAMPLE}`,
    slotTaken: (next) =>
      next === null
        ? 'حُجز هذا الوقت قبل لحظات. اختر يومًا آخر.'
        : `حُجز هذا الوقت قبل لحظات. أقرب وقت متاح: ${next}`,
    lost: 'ما اخترته لم يعد متاحًا. راجع اختيارك قبل الحجز.',
    tooMany: (max) =>
      `بلغت المواعيد القادمة لهذا الرقم الحد الأقصى: ${countedInArabic(max, 'appointment')}. لحجز موعد آخر ألغِ أحدها أو اتصل بالمتجر.`,
  },
  appointment: {
    booked: 'تم حجز موعدك',
    title: 'موعدك',
    cancelled: 'أُلغي هذا الموعد',
    cancelledText: 'أصبح الوقت متاحًا لغيرك.',
    over: 'انتهى هذا الموعد',
    what: 'الخدمة',
    when: 'الوقت',
    with: 'مع',
    where: 'المكان',
    reference: 'رقم الحجز',
    span: (day, from, to, zone) => `${day}، من ${from} إلى ${to}، ${zone}`,
    calendar: 'إضافة إلى التقويم',
    cancel: 'إلغاء الموعد',
    cancelUntil: (time) => `يمكنك الإلغاء هنا حتى ${time}.`,
    changeUntil: (time) => `يمكنك نقل الموعد أو إلغاؤه هنا حتى ${time}.`,
    tooLate: 'فات وقت نقل الموعد أو إلغائه هنا. يمكنك الاتصال بالمتجر.',
    move: 'نقل الموعد',
    moved: 'تم نقل موعدك',
    now: (time) => `موعدك الآن ${time}. اختر وقتًا آخر.`,
    moveAct: (day, time) => `نقل إلى ${day} ${time}`,
    keepTime: 'إبقاء الوقت كما هو',
    begun: 'بدأ الموعد ولم يعد إلغاؤه ممكنًا هنا. يمكنك الاتصال بالمتجر.',
    call: 'الاتصال بالمتجر',
    sure: (time) => `إلغاء موعد ${time}؟`,
    sureText: 'يصبح الوقت متاحًا لغيرك. لا يمكن التراجع عن الإلغاء، ويمكنك حجز موعد جديد.',
    sureAct: 'إلغاء الموعد',
    keep: 'إبقاء الموعد',
    bookAgain: 'حجز موعد آخر',
    withReference: (reference) => `رقم الحجز: ${reference}`,
    ofShop: (service, shop) => `${service}، ${shop}`,
  },
}
