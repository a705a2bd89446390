/**
 * Words by which a text says that something was done for the customer, by what was done. English as it is
 * written, in small letters; Arabic as it is folded. Each line holds alternatives of a pattern.
 */
export const CLAIM_KINDS = ['cancelled', 'booked', 'refunded', 'changed', 'other'] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

/** What was done, as it is said of the thing or of who did it. */
export const DONE_ENGLISH: Record<ClaimKind, string> = {
  cancelled: 'cancelled|canceled|called off',
  booked: 'booked|reserved|scheduled',
  refunded: 'refunded|reimbursed|paid back',
  changed:
    'rescheduled|changed|updated|modified|amended|exchanged|replaced|moved|postponed|edited|corrected',
  other:
    'processed|confirmed|placed|removed|added|issued|returned|registered|submitted|created|deleted|applied|extended|renewed|upgraded',
}

/** Said of the doing itself, with `confirmed`, `complete` or the like behind it. */
export const DOINGS_ENGLISH: Record<ClaimKind, string> = {
  cancelled: 'cancellation',
  booked: 'booking|reservation|appointment',
  refunded: 'refund|reimbursement',
  changed: 'change|update|exchange',
  other: 'request|return',
}

/** A whole sentence that says that all was done. */
export const ALL_DONE =
  "done|all done|it's done|it is done|that's done|all set|you're all set|you are all set|consider it done|تم|تم بنجاح|تمت العمليه|تمت العمليه بنجاح|خلصت لك|خلصتها لك|تم تنفيذ طلبك"

/** What may be cancelled, booked or changed. */
export const THINGS_ENGLISH =
  'order|orders|appointment|booking|reservation|request|address|delivery|refund|payment|item|subscription|account|number|date|time|slot|meeting|visit|session|return|exchange|shipment'

/** Before what was done, they make it no claim. */
export const UNDONE_ENGLISH =
  "not|never|no|nothing|none|cannot|can't|isn't|wasn't|hasn't|haven't|won't|aren't|weren't|can|could|may|might|should|must|would|will|shall|to be|being|fully|yet|unable|how|why|who|so that|in order|need|needs|want|wants|says|said|read|shows"

/** Anywhere before it in the sentence, too. */
export const CONDITION_ENGLISH = 'if|once|when|whenever|until|unless|after|before|whether|in case'

/** Behind what was done, they tell of what is usual. */
export const USUAL_ENGLISH =
  'within|after|once|when|whenever|if|unless|automatically|only|by default|every|daily|up to'

/** Nouns that stand behind `تم`. */
export const DONE_ARABIC: Record<ClaimKind, string> = {
  cancelled: 'الغاء|كنسله|كنسلة|فسخ',
  booked: 'حجز|جدوله|تحديد موعد',
  refunded:
    'استرداد|استرجاع المبلغ|استرجاع مبلغ|ارجاع المبلغ|اعاده المبلغ|رد المبلغ|رد مبلغ|تحويل المبلغ|تحويل مبلغ',
  changed: 'تعديل|تغيير|تحديث|استبدال|تبديل|نقل|تاجيل|تصحيح',
  other:
    'تاكيد|استرجاع|تسجيل|اضافه|حذف|ازاله|ارجاع|اعاده|تقديم|تنفيذ|تجديد|تفعيل|ايقاف|انشاء|تثبيت|اعتماد|تمديد',
}

/** Verbs of who did it: `ت` and `نا` are joined to them. */
export const DID_ARABIC: Record<ClaimKind, string> = {
  cancelled: 'لغي|الغي|كنسل',
  booked: 'حجز',
  refunded: 'ردي',
  changed: 'غير|عدل|بدل|اجل|نقل|حدث|استبدل|صحح',
  other: 'حذف|شل|اكد|ثبت|استرجع|رجع|اضف|ضف|سجل|اعتمد|مدد|فعل|نفذ',
}

/** What became of it by itself, beside the thing. */
export const BECAME_ARABIC: Record<ClaimKind, string> = {
  cancelled: 'انلغي|انلغت|اتلغي|اتلغت|اتلغا|تلغي|ملغي|ملغيه|ملغى|الغي|متكنسل|اتكنسل|تكنسل|متلغي',
  booked: 'انحجز|اتحجز|تحجز|محجوز|محجوزه|متحجز',
  refunded: 'مسترد|انرد|اترد',
  changed: 'اتغير|تغير|اتعدل|تعدل|اتاجل|تاجل|انتقل',
  other: 'اتاكد|تاكد|موكد|موكده|متاكد|مثبت|اتثبت',
}

/** Words of an action's name that tell what it does, by how they begin. One of none of these may do anything. */
export const DEED_WORDS: Record<Exclude<ClaimKind, 'other'>, readonly string[]> = {
  cancelled: ['cancel', 'void', 'revoke', 'withdraw', 'unsubscribe'],
  booked: ['book', 'reserv', 'schedul'],
  refunded: ['refund', 'reimburs', 'payback'],
  changed: [
    'chang',
    'updat',
    'edit',
    'modif',
    'amend',
    'mov',
    'reschedul',
    'postpon',
    'exchang',
    'replac',
  ],
}
/** Words of an action's name that only looks, whichever way its system is asked. */
export const LOOKING_WORDS: readonly string[] = [
  'get',
  'list',
  'find',
  'search',
  'look',
  'lookup',
  'check',
  'track',
  'status',
  'show',
  'read',
  'fetch',
  'view',
]

export const THINGS_ARABIC =
  'طلبك|طلبكم|طلبيتك|الطلب|الطلبيه|اوردرك|الاوردر|موعدك|موعدكم|الموعد|حجزك|حجزكم|الحجز|عنوانك|العنوان|عنوان|مبلغك|المبلغ|التوصيل|رقمك|اشتراكك|الاشتراك|حسابك|الكميه|المقاس|المنتج|زيارتك|جلستك|طاولتك|مقعدك'

/** Before what was done, they make it no claim. */
export const UNDONE_ARABIC =
  'ما|لم|لن|لا|مو|مش|مب|ليس|لو|اذا|ان|هل|متي|لما|كم|قبل|بعد|عند|عندما|حين|حتي|عشان|بمجرد|حال|انت|حضرتك|كنت|اللي|الذي|التي|كيف|ليش|ليه|ممكن|لازم|يجب|سوف|راح|بدون|لسه|لسا'
