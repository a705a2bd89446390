import { wordSet } from '../word-set.ts'

/** Kinds of acts that customers request. */
export const REQUEST_KINDS = ['cancels', 'books', 'refunds', 'changes'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

/** Verbs of a request, as an order or after "I want to", in English and in Arabic of Latin letters. */
export const REQUEST_VERBS: Record<RequestKind, ReadonlySet<string>> = {
  cancels: wordSet(
    `cancel stop terminate delete remove unsubscribe annul void cancle cancell
    elghi elghy elgho elghoo el8i alghi 2elghi kansel kansil la8i`,
  ),
  books: wordSet(
    'book reserve schedule rebook e7jez 2e7jez i7jez a7jez e7jezli 2e7jezli a7jezli ehjez',
  ),
  refunds: wordSet('refund reimburse return raja3 raj3o rajj3o rag3o rag3ly raje3 raje3li raja3li'),
  changes: wordSet(
    `change update edit modify move reschedule postpone exchange replace swap switch correct amend extend renew
    upgrade downgrade pause ghayer ghayyer ghayro ghayarly ghayarli ghayerli baddel baddil`,
  ),
}

/** Substantives by which a customer requests an act, such as "a refund". */
export const REQUEST_THINGS: Record<RequestKind, ReadonlySet<string>> = {
  cancels: wordSet('cancellation cancelation'),
  books: wordSet('appointment booking reservation'),
  refunds: wordSet('refund reimbursement floosi flousi masari'),
  changes: wordSet('exchange replacement reschedule'),
}

/** Words that open a request without changing it. */
export const POLITE = wordSet(
  `please pls plz kindly hi hello hey ok okay yes no so well now just also then and thanks sorry dear sir
  لو سمحت سمحتي سمحتوا سمحتو من فضلك فضلكم رجاء ارجو ارجوك ارجوكم بالله الله يخليك يعافيك عليك السلام عليكم مرحبا اهلا هلا هاي
  طيب تمام اوكي خلاص ياخي اخي اختي يا و بس`,
)

/** Words that precede a wish: "I want to cancel", «أبي ألغي», «بدي غيّر». */
export const WISHES = wordSet(
  `want need wanna wish must gotta
  ابي ابغي ابغا نبي نبغي اريد نريد ارغب نرغب عايز عايزه عاوز عاوزه بدي بدنا اود حاب حابه احب محتاج محتاجه ودي ياريت ممكن
  تقدر تقدري تقدرون تقدروا نقدر اقدر فيك فيكم بتقدر بتقدروا لازم تكفي تكفون
  bade baddi badi abi abgha 3ayez 3ayza 3awez momken`,
)

/** Verbs of wanting to know, which request no act. */
export const WANTS_TO_KNOW = wordSet(
  `know ask understand check see hear learn find confirm inquire enquire wonder
  اعرف نعرف اسال نسال افهم استفسر اشوف اتاكد اتابع كم متي كيف ليش ليه وش شو ايش`,
)

/** Arabic imperatives by kind, with attached pronouns. */
export const REQUEST_ARABIC: Record<RequestKind, RegExp> = {
  cancels: /^(?:الغ(?:ي|و|وا|يلي|ولي|لي|وه|وها|يه|يها|ه|ها)?|كنسل(?:ي|و|وا|لي|ولي|ه|ها|وه|وها)?)$/u,
  books: /^(?:ا?حجز(?:ي|و|وا)?ل(?:ي|نا)|احجز(?:ي|و|وا)?)$/u,
  refunds:
    /^(?:رجع(?:و|وا|ي)(?:ل(?:ي|نا)|ه|ها|هم)?|رجعل(?:ي|نا)|رد(?:و|وا)(?:ل(?:ي|نا))?|ردلي|استرد|استرجع)$/u,
  changes:
    /^(?:(?:غير|عدل|بدل|حول)(?:ي|و|وا)?(?:ل(?:ي|نا))?(?:ه|ها)?|(?:اجل|انقل|مدد|جدد)(?:ي|و|وا|لي|ولي|يلي|وه|وها|ه|ها|وهلي|وهالي))$/u,
}

/** Arabic words by kind that request an act after a wish: verbs in the present, and substantives. */
export const WISHED_ARABIC: Record<RequestKind, RegExp> = {
  cancels: /^(?:ب?[انتي]?(?:لغي|كنسل)\p{L}{0,4}|ا?ل?الغاء\p{L}{0,2}|الغي\p{L}{0,3}|(?:ال)?كنسله)$/u,
  books: /^(?:[انتي]?ا?حجز\p{L}{0,4}|(?:ال)?حجز|(?:ال)?موعد)$/u,
  refunds:
    /^(?:[انتي]?(?:رجع|سترجع|سترد)\p{L}{0,4}|(?:ال)?(?:استرجاع|استرداد|ارجاع)\p{L}{0,2}|فلوسي|مصاري|مصرياتي|فلوسنا)$/u,
  changes:
    /^(?:[انتي]?(?:غير|عدل|بدل|نقل|وجل|اجل|مدد|جدد)\p{L}{0,4}|(?:ال)?(?:تغيير|تعديل|تبديل|استبدال|تاجيل|نقل|تمديد|تجديد)\p{L}{0,2})$/u,
}
