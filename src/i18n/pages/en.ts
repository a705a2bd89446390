import { counted } from '../counted.ts'
import { inEnglish } from '../isolate.ts'
import type { PageWords } from './shape.ts'

/** An example on one line. */
const EXAMPLE = '+966\u00a050\u00a0123\u00a04567'

/** Formats minutes in the largest unit without a remainder. */
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
      title: 'This link doesn’t work',
      text: 'It may have been cut off when it was copied. Open it again from the message you got it in.',
    },
    wrong_method: { title: 'This page can’t do that', text: 'Open the link in a browser.' },
    foreign_form: {
      title: 'Nothing was sent',
      text: 'The form was sent from another page. Open the original link and send the form there.',
    },
    form_too_large: {
      title: 'Nothing was sent',
      text: 'What you entered is too long. Shorten it and try again.',
    },
    not_a_form: {
      title: 'Nothing was sent',
      text: 'This wasn’t sent from the form on this page. Open the link in a browser.',
    },
    too_many: {
      title: 'Too many requests',
      text: 'There have been too many requests from your connection. Wait a minute, then open the page again.',
    },
    too_many_bookings: {
      title: 'Not booked',
      text: 'Too many appointments were booked from your connection. Try again in an hour, or call the shop.',
    },
    too_many_moves: {
      title: 'Appointment not rescheduled',
      text: 'Too many appointments were booked or rescheduled from this connection. Try again in an hour, or call the shop.',
    },
    busy: {
      title: 'Temporarily unavailable',
      text: 'Nothing was changed. Try again in a minute.',
    },
    moved: {
      title: 'This page has moved',
      text: 'The shop now uses another address. Ask the shop for its new link.',
    },
    fault: {
      title: 'Something went wrong',
      text: 'The problem is on our side. Try again in a minute.',
    },
  },
  optOut: {
    title: 'Stop messages',
    question: (shop) => `Stop all messages from ${inEnglish(shop)}?`,
    consequence:
      'You won’t get any more offers, reminders or other messages, on any channel. If you ask a question yourself, you’ll still get an answer.',
    act: 'Stop all messages',
    stopped: 'You’ve opted out',
    stoppedText: (shop) => `You won’t get any more messages from ${inEnglish(shop)}.`,
    again: 'To get messages again, send START to the shop.',
  },
  booking: {
    title: 'Book an appointment',
    closed: 'Online booking is closed',
    closedText: 'You can’t book here at the moment. Contact the shop for an appointment.',
    services: 'Choose a service',
    otherServices: 'All services',
    minutes: span,
    with: 'With',
    anyone: 'Anyone',
    days: 'Day',
    times: (day, zone) => `${day}, ${zone}`,
    noTimes: (first, last) => `No times available from ${first} to ${last}.`,
    earlier: 'Earlier dates',
    later: 'Later dates',
    you: 'Your details',
    name: 'Your name',
    country: 'Country of your mobile number',
    countryUnchosen: 'Choose a country',
    phone: 'Mobile number',
    phoneHelp: `As dialled in that country, or with the country code: ${EXAMPLE}`,
    email: 'Email (optional)',
    emailHelp: 'We’ll send the confirmation here if we can’t send you a message.',
    emailWrong: 'This isn’t a valid email address. Correct it or leave it empty.',
    isIt: (number) => `Is it ${number}?`,
    isItWhy: 'If not, change the country or the number above.',
    act: (day, time) => `Book ${day} at ${time}`,
    confirm: (day, time) => `Yes, book ${day} at ${time}`,
    dayAndTime: (day, time) => `${day}, ${time}`,
    cancelUntil: (minutes) =>
      minutes === 0
        ? 'You can cancel until the appointment starts.'
        : `You can cancel up to ${span(minutes)} before.`,
    notToBeCancelled: 'This appointment starts soon, so it can’t be cancelled online.',
    toFix: (count) => `${counted(count, 'problem', 'problems')} to fix`,
    nameMissing: 'Enter your name.',
    nameTooLong: (max) => `Your name can have at most ${counted(max, 'character', 'characters')}.`,
    countryMissing: `Choose the country of your number, or enter the country code: ${EXAMPLE}`,
    phoneMissing: `Enter your mobile number. Example: ${EXAMPLE}`,
    phoneWrong: `Check the number: a digit is missing or wrong. Example: ${EXAMPLE}`,
    phoneNotOf: (country) =>
      `This isn’t a valid number in ${country}. Change the country or the number, or enter the country code: ${EXAMPLE}`,
    slotTaken: (next) =>
      next === null
        ? 'This time has just been taken. Choose another day.'
        : `This time has just been taken. Next available: ${next}`,
    lost: 'What you chose is no longer available. Check your selection before you book.',
    tooMany: (max) =>
      `This number already has ${counted(max, 'upcoming appointment', 'upcoming appointments')}, the maximum. Cancel one first, or call the shop.`,
  },
  appointment: {
    booked: 'You’re booked',
    title: 'Your appointment',
    cancelled: 'This appointment is cancelled',
    cancelledText: 'The time is available to others again.',
    over: 'This appointment is over',
    what: 'Service',
    when: 'When',
    with: 'With',
    where: 'Where',
    reference: 'Reference',
    span: (day, from, to, zone) => `${day}, ${from} to ${to}, ${zone}`,
    calendar: 'Add to calendar',
    cancel: 'Cancel appointment',
    cancelUntil: (time) => `You can cancel online until ${time}.`,
    changeUntil: (time) => `You can reschedule or cancel here until ${time}.`,
    tooLate: 'It’s too late to reschedule or cancel online. Call the shop.',
    move: 'Reschedule',
    moved: 'Your appointment has been rescheduled',
    now: (time) => `It’s currently on ${time}. Choose another time.`,
    moveAct: (day, time) => `Reschedule to ${day} at ${time}`,
    keepTime: 'Keep this time',
    begun: 'The appointment has started, so it can’t be cancelled online. Call the shop.',
    call: 'Call',
    sure: (time) => `Cancel your appointment on ${time}?`,
    sureText: 'The time becomes available to others. You can’t undo this, but you can book again.',
    sureAct: 'Cancel appointment',
    keep: 'Keep appointment',
    bookAgain: 'Book another time',
    withReference: (reference) => `Reference: ${reference}`,
    ofShop: (service, shop) => `${service}, ${shop}`,
  },
}
