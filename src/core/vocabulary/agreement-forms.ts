/**
 * Phrases of agreement and refusal that have many forms: each is combined from its parts. They are written as people
 * write them; readers fold them first.
 */

/** Returns each beginning joined to each ending; an empty part leaves no space. */
const join = (beginnings: readonly string[], endings: readonly string[], between = ' ') =>
  beginnings.flatMap((one) =>
    endings.map((other) => [one, other].filter((part) => part !== '').join(between)),
  )
const list = (words: string) => words.split('|')

const WITHOUT =
  'ما في|مافي|ما فيه|مافيه|مفيش|ما فيش|مافيش|ماكو|ما كو|ما عندي|ماعندي|معنديش|ما عنديش|ما عنا|' +
  'ما عندنا|ماعندنا|لا يوجد|لا توجد|ليس لدي|ليس عندي|ما لدي|ليس هناك|ليس لدينا|بدون|لا|' +
  'لا يوجد لدي|لا توجد لدي|لا يوجد عندي|ليس لديه'
const WITHOUT_LATIN =
  'ma fi|mafi|ma fe|mafe|mafesh|mafish|ma3andi|ma 3andi|ma3indi|ma 3indi|ma3ndi|ma 3ndi|maku'
const TROUBLE_LATIN =
  'moshkila|mushkila|moshkela|mushkela|meshkle|mishkle|meshkla|mishkla|mshkla|mshkle|mane3|mani3'

/** "There is no problem", "I have nothing against it", with or without "any" and "at all". */
export const NO_TROUBLE: readonly string[] = [
  ...join(join(join(list(WITHOUT), ['', 'اي']), list('مشكله|مشكل|مشاكل|مانع|اعتراض|موانع')), [
    '',
    'ابدا',
    'لدي',
    'عندي',
    'عندي ابدا',
    'نهائيا',
    'اطلاقا',
  ]),
  ...join(list(WITHOUT_LATIN), list(TROUBLE_LATIN)),
]

/** "I am fine with it", "that works for me", "I fully agree". */
export const CONTENT_WITH: readonly string[] = [
  ...join(
    join(list('im|i am|we are|were'), list('ok|okay|fine|good|happy|cool|alright')),
    list('with it|with that|with this'),
  ),
  ...join(
    join(list('thats|that is|its|it is|this is'), list('ok|okay|fine|good|perfect|great')),
    list('with me|by me|for me|with us|for us'),
  ),
  ...join(list('ok|okay|fine|good'), list('with me|by me|for me|with us|for us')),
  ...join(list('that|it|this'), list('works for me|works for us')),
  ...list('that works|that works fine'),
  ...join(join(['i', 'we', ''], list('fully|totally|completely|absolutely|definitely')), ['agree']),
]

/** "That is right", "looks good": praise, which is no answer alone. */
export const PRAISES: readonly string[] = join(
  list(
    'thats|that is|this is|its|it is|looks|looking|all|it all looks|everything is|everything looks',
  ),
  list('great|good|right|correct|perfect|excellent|nice|fine'),
)

/** A "no" with thanks or contentment: "no thanks", "nah I'm good". */
export const NO_WITH_THANKS: readonly string[] = join(
  list('no|nah|nope'),
  list('im good|im ok|im okay|im fine|its ok|its okay|its fine|thats ok|thats fine|ty|tnx'),
)

const KEPT_THINGS =
  'it|this|that|the order|my order|this order|the appointment|my appointment|the booking|my booking|' +
  'the address|my address|the old one|the old address|everything|things'

const AS_IT_IS = list('as it is|as is|as it was|the same|as they are|like that|that way')

/** "Keep it as it is", «خليه زي ما هو», «سيب الطلب». */
export const LEFT_AS_IT_IS: readonly string[] = [
  ...join(join(['keep', 'please keep'], list(KEPT_THINGS)), ['', ...AS_IT_IS]),
  ...join(join(['leave', 'please leave'], list(KEPT_THINGS)), [...AS_IT_IS, 'alone']),
  ...join(
    list('خلها|خله|خليه|خليها|خلوه|خلوها|سيبه|سيبها|سيبوه|سيبوها|اتركه|اتركها|اتركوه|تركه|تركها'),
    ['', ...join(list('مثل|متل|زي|على|كما'), list('ما هو|ما هي|ماهو|ماهي|هو|هي|كان|ما كان'))],
  ).filter((phrase) => /^خل|\s/.test(phrase)),
  ...join(
    list('خلي|خل|خلوا|خلو|سيب|سيبوا|اترك|اتركوا|ابق|ابقي|ابقوا'),
    list('الطلب|الاوردر|الموعد|الحجز|طلبي|موعدي|حجزي|العنوان|العنوان القديم|كل شي'),
  ),
]

const DEEDS = list('عمل|غير|كمل|اكد|حجز|نفذ|بعت|سوي|عدل|بدل|نقل|حدث|سجل')
/** Cancelling, as it is written before an ending. */
const CANCELLED = list('لغي|لغ|كنسل')
const EGYPTIAN_ENDINGS = list('ش|يش|وش|هش|هاش|هوش|وهش|وهاش|يهش|يهاش|يهوش|وهوش')

/** "Do not", in one word: «متعملش», «ماتغيروهاش». */
export const DO_NOT_FORMS: readonly string[] = join(
  join(['مت', 'مات'], DEEDS, ''),
  EGYPTIAN_ENDINGS,
  '',
)
/** "Do not cancel", in one word. */
export const DO_NOT_CANCEL_FORMS: readonly string[] = join(
  join(['مت', 'مات'], CANCELLED, ''),
  EGYPTIAN_ENDINGS,
  '',
)

const ENDINGS = ['', ...list('ي|و|وا|ون|ين|ه|ها|وه|وها|ونه|ونها|يه|يها|ينه|ينها|ش|يش|وش|هاش')]

/** Acts as they are said after "do not": «تعدلوه», «تسوونها». */
export const DOING_FORMS: readonly string[] = [
  ...join(
    join(['ت'], [...DEEDS, 'سو', 'سوو', 'فعل', 'ثبت', 'عتمد', 'لمس', 'قرب'], ''),
    ENDINGS,
    '',
  ),
]

const OF_CANCELLING = list(
  'الغاءه|الغاءها|الغائه|الغائها|الغاء الطلب|الغاء طلبي|الغاء الحجز|الغاء حجزي',
).concat(list('الغاء الموعد|الغاء موعدي|الغاء الاوردر|الغاء الاشتراك|الغاء هذا الطلب'))

/** Cancelling that names its object, and cancelling as it is said after "do not". */
export const CANCEL_FORMS: { named: readonly string[]; denied: readonly string[] } = {
  named: [
    ...OF_CANCELLING,
    ...OF_CANCELLING.map((noun) => `قم ب${noun}`),
    'اكنسله|اكنسلها|نكنسله|نلغيه|نلغيها',
  ],
  denied: join(join(join(['ت'], [...CANCELLED, 'لغو'], ''), ENDINGS, ''), [
    '',
    'الطلب',
    'طلبي',
    'الاوردر',
    'الموعد',
    'موعدي',
    'الحجز',
    'حجزي',
  ]),
}
