/** English words by which a text says that something was done, in small letters. */
import { phraseList, wordSet } from '../word-set.ts'
import type { ClaimKind } from './kinds.ts'

/** Verbs in their past, by their beginning, with their kinds of claims. The first matching line counts. */
export const VERB_KINDS: readonly (readonly [beginnings: string, kinds: readonly ClaimKind[]])[] = [
  ['unsubscrib cancel canceled void revok withdr terminat stopp annul', ['cancels']],
  ['remov delet took taken dropp eras wip', ['changes', 'cancels']],
  ['refund reimburs repaid revers credit', ['refunds']],
  ['return', ['refunds', 'changes']],
  ['reschedul', ['changes', 'books']],
  ['book reserv schedul pencil held', ['books']],
  ['regist enrol sign', ['opens', 'books']],
  [
    'chang updat modif amend edit exchang replac swapp switch correct adjust renam upgrad downgrad extend prolong postpon renew paus resum bumpp push convert reset redirect revis rerout rout delay brought',
    ['changes'],
  ],
  ['mov shift saved', ['changes', 'books']],
  [
    'resent sent mail email text messag notif inform alert forward shar dispatch told pinged',
    ['sends'],
  ],
  ['open creat rais submit fil lodg logg report start launch', ['opens']],
  ['charg debit bill deduct captur collect receiv', ['charges']],
  ['paid', ['charges', 'refunds']],
]

/** Kinds of claims by the object of a clause whose verb says nothing. */
export const THING_KINDS: readonly (readonly [things: string, kinds: readonly ClaimKind[]])[] = [
  ['refund refunds reimbursement money', ['refunds']],
  ['cancellation', ['cancels']],
  ['booking reservation appointment table seat seats visit session', ['books']],
  ['exchange replacement change update', ['changes']],
  ['payment deposit', ['charges', 'refunds']],
  ['ticket complaint', ['opens']],
  ['code invoice receipt email sms message link voucher', ['sends']],
]

/** Objects that may be cancelled, booked, paid or sent. */
export const THINGS = wordSet(
  `order appointment booking reservation request address delivery refund payment item subscription account
  number visit session meeting return exchange shipment card plan money deposit coupon voucher discount invoice
  receipt code ticket complaint replacement cancellation membership points booking table slot seat room
  change update transfer pickup collection warranty claim registration application reimbursement amount
  balance fee charge credit gift reminder alert notification name email phone profile password access
  trial contract installation repair service parcel package purchase basket cart size colour color
  date time day schedule hold newsletter list prescription quote class course lesson trip ride flight
  stay event spot place wrap wrapping wrapper insurance extra topping bed crib engraving meal permit
  preference preferences details link message correction upgrade renewal extension`,
)

/** Plurals that mean objects in general, unless another word makes them the customer's. */
export const MANY_THINGS = wordSet(
  `orders appointments bookings reservations requests refunds payments items subscriptions accounts returns
  exchanges shipments cards coupons vouchers discounts invoices receipts codes tickets complaints replacements
  deposits cancellations parcels packages changes`,
)

/** Objects that are taken or free for everyone: "it is booked" may mean another customer's booking. */
export const TAKEN_BY_OTHERS = wordSet('slot time date day table hour seat room place spot class')

/** Past forms that do not end in "ed". */
export const IRREGULAR = wordSet(
  `did sent resent put took taken made set got gotten held kept let gave given done paid repaid brought built
  bought sold found left lost met moved ran run said shut told thought went gone wrote written drawn drew
  cut hit read seen saw known knew begun began broken broke chosen chose come came drawn driven eaten
  fallen felt forgotten forgot frozen grown heard hidden laid led lent meant rung rang sought shown spent
  spoken spoke stood struck swapped understood undone undid withdrawn withdrew won overwritten reset redone redid
  split sorted spread dealt bound fed sewn lit tied cast slid wound upheld unfrozen`,
)

/** Verbs of thinking, speaking and looking, which claim no deed. */
export const NO_DEEDS = wordSet(
  `looked checked found read understood recommended saw seen noticed thought meant said mentioned explained
  searched heard known knew hoped wanted liked loved tried got gotten received gathered learned learnt remembered
  forgot forgotten believed felt guessed suggested described listed compared considered wondered noted assumed
  apologised apologized enjoyed reviewed consulted went gone came come had did been answered replied missed
  misread misunderstood overlooked helped offered needed verified used seemed appeared worked
  appreciated expected preferred realised realized recognised recognized imagined doubted agreed promised
  spotted browsed scanned examined studied chatted talked spoke spoken interpreted translated summarised
  summarized calculated counted estimated guided walked advised warned pointed shown showed failed
  struggled managed lost stayed lived loved wished hesitated repeated quoted clarified determined identified
  located concluded discovered figured ended learned cared chose picked mistook
  met happened became sounded told asked doublechecked rechecked rushed hurried pleased
  began begun left kept stood waited`,
)

/** Verbs of informing: about the customer they are speech, about others they are deeds. */
export const TELLING = wordSet(
  `told asked informed notified alerted messaged contacted called emailed texted spoke spoken talked warned
  instructed requested reached pinged advised checked confirmed consulted reminded phoned rang`,
)

/** Participles that describe the customer's order and claim no deed. */
export const STATES = wordSet(
  `shipped dispatched delivered packed prepared located made included sold covered based attached expected
  estimated priced required needed listed shown known called named closed delayed damaged broken meant supposed
  used designed limited allowed appreciated valued understood missed asked sized lined lost stuck left
  linked related concerned interested welcome worn stored assembled pleased tired
  handled manufactured tailored wrapped weighed measured counted
  spelled spelt rated insured protected guaranteed printed engraved taxed measured counted
  outdated expired declined rejected finished noted answered explained quoted heard read seen driven built written found born gone said kept`,
)

/** Participles for what was done with the customer, who is addressed. */
export const DONE_WITH_YOU = wordSet(
  `booked set subscribed unsubscribed registered enrolled added removed confirmed scheduled refunded reimbursed
  upgraded moved rescheduled signed credited checked rebooked charged placed listed`,
)

/** Verbs that do something for a customer, by how their past begins: for subjects that may be anything. */
export const DEED_BEGINNINGS =
  `cancel void revok withdr terminat stopp unsubscrib remov delet refund reimburs repaid revers credit return
  reschedul book reserv schedul regist enrol chang updat modif amend edit exchang replac swapp switch correct
  adjust renam upgrad downgrad extend prolong postpon renew paus resum mov shift sav sent resent mail email text
  send messag forward dispatch open creat rais submit fil lodg logg charg debit bill deduct captur paid appl add issu
  approv confirm activat reactivat deactivat complet arrang sort fix lock waiv grant process plac settl clear
  secur releas reset redirect sign set put assign record accept finaliz finalis clos execut fulfil effect taken
  made done undone dropp transferr handl resolv restor block unblock withdrawn enter file link mark
  flagg hold held rebook reissu reorder reserved resched rout redeem order initiat trigger pushed
  stopped honour honor lift merg combin wip eras unlock bump boost reinstat revert doubl halv suspen froz freez
  unfroz dealt rerout authoris authoriz allocat award reload recharg upload popp request add`.split(
    /\s+/,
  )

/** Words after a participle that describe a general habit. */
export const USUAL = wordSet(
  'within after once when whenever if unless automatically only daily every before',
)

/** Words that are skipped before a verb. */
export const ADVERBS = wordSet(
  `now just already successfully also hereby all officially duly finally since today fully completely both even
  simply personally immediately then instantly safely again manually kindly therefore happily currently right
  promptly directly quickly actually indeed too gladly`,
)

/** Words that deny what follows. */
export const DENIALS = wordSet(
  `not never nothing none nobody no cannot neither nor without unable hardly isnt wasnt hasnt havent wont arent
  werent cant couldnt didnt doesnt dont wouldnt shouldnt aint barely`,
)

/** Words before a verb that make it a possibility, a plan or a question. */
export const MODALS = wordSet(
  `can could may might would will shall should must be need needs want wants how why who whom whose whether
  where let please to gonna lets`,
)

/** Words between the subject and its deed. */
export const GOES_AHEAD = [
  'gone ahead and',
  'went ahead and',
  'gone and',
  'went on and',
  'taken the liberty of',
  'took the liberty of',
  'been asked and',
] as const

/** Conjunctions that make the sentence conditional. */
export const CONDITIONS = wordSet(
  'if once when whenever unless until till assuming provided suppose',
)

/** First words by which a sentence with a question mark is a question as a whole. */
export const ASKS_FIRST = wordSet(
  `is are was were do does did have has had can could will would shall should may might what which when where
  who whose whom how why isnt arent wasnt werent dont doesnt didnt havent hasnt cant couldnt wont wouldnt shouldnt
  am any`,
)

/** Frames before a repetition of the customer's words: "I understand that …". */
export const FRAMES = phraseList(`
  i understand | i see | i am sorry | sorry | i hear | i read | you say | you said | you write |
  you wrote | you mention | you mentioned | you told me | you describe | as i understand |
  it sounds like | so you
`)
