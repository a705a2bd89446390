/** Texts that every language has for the public pages. */

/** The reason why a page is not shown, or a form is refused. */
export type PageRefusalKind =
  | 'not_found'
  | 'wrong_method'
  | 'foreign_form'
  | 'form_too_large'
  | 'not_a_form'
  | 'too_many'
  | 'too_many_bookings'
  | 'too_many_moves'
  | 'busy'
  | 'moved'
  | 'fault'

export type PageWords = {
  /** The name of the other language, in that language. */
  otherLanguage: string
  /** The name that is shown for a company without one. */
  aShop: string
  refusals: Record<PageRefusalKind, { title: string; text: string }>
  optOut: {
    title: string
    question: (shop: string) => string
    consequence: string
    act: string
    stopped: string
    stoppedText: (shop: string) => string
    again: string
  }
  booking: {
    title: string
    closed: string
    closedText: string
    services: string
    otherServices: string
    minutes: (minutes: number) => string
    with: string
    anyone: string
    days: string
    times: (day: string, zone: string) => string
    noTimes: (first: string, last: string) => string
    earlier: string
    later: string
    you: string
    name: string
    country: string
    countryUnchosen: string
    phone: string
    phoneHelp: string
    email: string
    emailHelp: string
    emailWrong: string
    /** `number` is in groups. */
    isIt: (number: string) => string
    isItWhy: string
    act: (day: string, time: string) => string
    confirm: (day: string, time: string) => string
    dayAndTime: (day: string, time: string) => string
    cancelUntil: (minutes: number) => string
    notToBeCancelled: string
    toFix: (count: number) => string
    nameMissing: string
    nameTooLong: (max: number) => string
    countryMissing: string
    phoneMissing: string
    phoneWrong: string
    phoneNotOf: (country: string) => string
    slotTaken: (next: string | null) => string
    lost: string
    tooMany: (max: number) => string
  }
  appointment: {
    booked: string
    title: string
    cancelled: string
    cancelledText: string
    over: string
    what: string
    when: string
    with: string
    where: string
    reference: string
    span: (day: string, from: string, to: string, zone: string) => string
    calendar: string
    cancel: string
    cancelUntil: (time: string) => string
    changeUntil: (time: string) => string
    tooLate: string
    move: string
    moved: string
    now: (time: string) => string
    moveAct: (day: string, time: string) => string
    keepTime: string
    /** The appointment has begun or ended. */
    begun: string
    call: string
    sure: (time: string) => string
    sureText: string
    sureAct: string
    keep: string
    bookAgain: string
    withReference: (reference: string) => string
    ofShop: (service: string, shop: string) => string
  }
}
