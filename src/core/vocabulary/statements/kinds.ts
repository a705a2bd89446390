/**
 * The words by which names, systems and customers refer to each kind of deed. Latin words are listed by their
 * beginnings, Arabic ones by the folded letters that they contain.
 */

/** Kinds of deeds for a customer that a text may claim. */
export const CLAIM_KINDS = [
  'cancels',
  'books',
  'refunds',
  'changes',
  'sends',
  'opens',
  'charges',
  'other',
] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

export type NamedKind = Exclude<ClaimKind, 'other'>

/** Beginnings of words in an action's name that show its kind. An action without any may be of every kind. */
export const DEED_WORDS: Record<NamedKind, readonly string[]> = {
  cancels: ['cancel', 'void', 'revoke', 'withdraw', 'unsubscribe', 'stop', 'terminat', 'delet'],
  books: ['book', 'reserv', 'schedul', 'appoint'],
  refunds: ['refund', 'reimburs', 'payback', 'credit'],
  changes:
    'chang updat edit modif amend mov reschedul postpon exchang replac swap switch set add remov apply renew extend upgrad downgrad paus resum correct delet unsubscrib subscrib'.split(
      ' ',
    ),
  sends: ['send', 'resend', 'email', 'mail', 'notif', 'messag', 'dispatch'],
  opens: ['open', 'creat', 'rais', 'submit', 'regist', 'fil', 'report', 'place', 'order', 'enrol'],
  charges: ['charg', 'pay', 'bill', 'captur', 'debit', 'deduct'],
}

/** Words in the name of an action that only reads. */
export const LOOKING_WORDS: readonly string[] =
  'get list find search look lookup check track status show read fetch view info details'.split(' ')

/** Words by which a merchant's system or a customer names a deed: Latin ones by the beginning of a word. */
export const KIND_WORDS: Record<NamedKind, { latin: readonly string[]; arabic: RegExp }> = {
  cancels: {
    latin: 'cancel void revok withdraw unsubscrib terminat stop annul delet el3i el3'.split(' '),
    arabic: /لغ[يىاو]|الغا|كنسل|ايقاف|اوقف|وقف|فسخ|حذف/u,
  },
  books: {
    latin: 'book reserv schedul appoint held hold 7ajz 7jz a7jez i7jez'.split(' '),
    arabic: /حجز|احجز|محجوز|جدول|موعد/u,
  },
  refunds: {
    latin: 'refund reimburs return repaid credit revers moneyback floos'.split(' '),
    arabic: /استرد|استرجاع|ارجاع|رجع|مسترد|اعاده المبلغ|رد المبلغ|فلوس|مصاري/u,
  },
  changes: {
    latin:
      'chang updat edit modif amend mov reschedul postpon exchang replac swap switch renew extend upgrad correct paus sav ghayar ghay'.split(
        ' ',
      ),
    arabic: /غي?ير|تغير|بدل|عدل|نقل|اجل|حدث|مدد|جدد|تمديد/u,
  },
  sends: {
    latin: 'send sent resend email mail dispatch shipp notif'.split(' '),
    arabic: /ارسل|ارسال|بعت|بعث|طرش|شحن/u,
  },
  opens: {
    latin: 'open creat rais submit regist fil report plac ticket complain enrol'.split(' '),
    arabic: /فتح|سجل|تسجيل|شكو|تذكر|بلاغ/u,
  },
  charges: {
    latin: 'charg paid pay bill captur debit deduct receiv'.split(' '),
    arabic: /دفع|مدفوع|خصم|سدد|سداد|استلم|تحصيل/u,
  },
}
