import { counted } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { PageWords } from './shape.ts'

/** In one line. */
const EXAMPLE = '+966\u00a050\u00a0123\u00a04567'

/** So many minutes, in the largest unit that holds them whole. */
function span(minutes: number): string {
  if (minutes % 1_440 === 0) return counted(minutes / 1_440, 'day', 'days')
  if (minutes % 60 === 0) return counted(minutes / 60, 'hour', 'hours')
  return counted(minutes, 'minute', 'minutes')
}

export const EN_PAGES: PageWords = {
  otherLanguage: 'العربية',
  aShop: 'The shop',
  refusals: {
    not_found: {
      title: 'There is nothing at this link',
      text: 'It may have been cut when it was copied. Open it again from the message in which it came.',
    },
    wrong_method: { title: 'This page cannot do that', text: 'Open the link in a browser.' },
    foreign_form: {
      title: 'Nothing was sent',
      text: 'The form came from another page. Open the link itself and send the form there.',
    },
    form_too_large: {
      title: 'Nothing was sent',
      text: 'The form is too long. Shorten what is written in it.',
    },
    not_a_form: {
      title: 'Nothing was sent',
      text: 'What came is not the form of this page. Open the link in a browser.',
    },
    too_many: {
      title: 'Too much at once',
      text: 'Many requests came from this connection. Wait a minute, then open the page again.',
    },
    too_many_bookings: {
      title: 'Not booked',
      text: 'Many appointments were booked from this connection. Try again in an hour, or call the shop.',
    },
    too_many_moves: {
      title: 'Not rescheduled',
      text: 'Many appointments were booked or rescheduled from this connection. Try again in an hour, or call the shop.',
    },
    busy: {
      title: 'Not possible at the moment',
      text: 'Nothing was changed. Try again in a minute.',
    },
    fault: { title: 'This did not work', text: 'The fault is ours. Try again in a minute.' },
  },
  optOut: {
    title: 'Stop messages',
    question: (shop) => `Stop all messages from ${inEnglish(shop)}?`,
    consequence:
      'You get no more offers, reminders or other messages, on any channel. Questions that you ask yourself are still answered.',
    act: 'Stop all messages',
    stopped: 'Messages are stopped',
    stoppedText: (shop) => `${inEnglish(shop)} sends you nothing more.`,
    again: 'To get messages again, send the shop the word START.',
  },
  booking: {
    title: 'Book an appointment',
    closed: 'Nothing can be booked here now',
    closedText: 'Booking is switched off. Ask the shop for an appointment.',
    services: 'What can be booked',
    otherServices: 'All services',
    minutes: span,
    with: 'With',
    anyone: 'Anyone',
    days: 'Day',
    times: (day, zone) => `${day}, ${zone}`,
    noTimes: (first, last) => `No free time from ${first} to ${last}.`,
    earlier: 'Earlier days',
    later: 'Later days',
    you: 'Who is coming',
    name: 'Your name',
    country: 'Country of your mobile',
    countryUnchosen: 'Choose the country',
    phone: 'Your mobile',
    phoneHelp: `As you dial it there, or with its country code: ${EXAMPLE}`,
    email: 'Your e-mail (optional)',
    emailHelp: 'The confirmation goes there if it cannot be sent to you as a message.',
    emailWrong: 'This is not an e-mail address. Correct it, or leave it empty.',
    isIt: (number) => `Is it ${number}?`,
    isItWhy: 'If not, change the country or the number above.',
    act: (day, time) => `Book ${day} at ${time}`,
    confirm: (day, time) => `Yes, book ${day} at ${time}`,
    dayAndTime: (day, time) => `${day}, ${time}`,
    cancelUntil: (minutes) =>
      minutes === 0
        ? 'You can cancel until it begins.'
        : `You can cancel until ${span(minutes)} before.`,
    notToBeCancelled: 'This appointment begins soon and cannot be cancelled here.',
    toFix: (count) => `${counted(count, 'thing', 'things')} to fix`,
    nameMissing: 'The name is missing.',
    nameTooLong: (most) => `The name has more than ${counted(most, 'character', 'characters')}.`,
    countryMissing: `Choose the country of your number, or write its country code: ${EXAMPLE}`,
    phoneMissing: `The number is missing. Example: ${EXAMPLE}`,
    phoneWrong: `A digit is missing or wrong. Example: ${EXAMPLE}`,
    phoneNotOf: (country) =>
      `This is no number of ${country}. Change the country or the number, or write its country code: ${EXAMPLE}`,
    slotTaken: (next) =>
      next === null
        ? 'This time was just taken. Choose another day.'
        : `This time was just taken. Next free: ${next}`,
    lost: 'What you chose is no longer offered. Look at the choice again before you book.',
    tooMany: (most) =>
      `This number has ${counted(most, 'appointment', 'appointments')} ahead, and more cannot be booked here. Cancel one first, or call the shop.`,
  },
  appointment: {
    booked: 'Your appointment is booked',
    title: 'Your appointment',
    cancelled: 'This appointment is cancelled',
    cancelledText: 'The time is free for others again.',
    over: 'This appointment is over',
    what: 'What',
    when: 'When',
    with: 'With',
    where: 'Where',
    reference: 'Reference',
    span: (day, from, to, zone) => `${day}, ${from} to ${to}, ${zone}`,
    calendar: 'Add to calendar',
    cancel: 'Cancel the appointment',
    cancelUntil: (time) => `You can cancel here until ${time}.`,
    changeUntil: (time) => `You can reschedule or cancel here until ${time}.`,
    tooLate: 'Too late to change or cancel it here. Call the shop.',
    move: 'Reschedule',
    moved: 'Your appointment is rescheduled',
    now: (time) => `It is on ${time} now. Choose another time.`,
    moveAct: (day, time) => `Reschedule to ${day} at ${time}`,
    keepTime: 'Keep the time',
    begun: 'The appointment has begun and can no longer be cancelled here. Call the shop.',
    call: 'Call',
    sure: (time) => `Cancel the appointment on ${time}?`,
    sureText: 'The time becomes free for others. This cannot be taken back; you can book anew.',
    sureAct: 'Cancel the appointment',
    keep: 'Keep the appointment',
    bookAnew: 'Book another time',
    withReference: (reference) => `Reference: ${reference}`,
    ofShop: (service, shop) => `${service}, ${shop}`,
  },
}
