import { APPOINTMENT_LIMITS } from '../../limits/appointments.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'
import { cleanText, countCodePoints } from '../../rules/text/json-text.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'
import type { PageWords } from '../../words/page-words.ts'

/** What was typed, and what is wrong with it, in words. */
export type BookingForm = {
  name: string
  phone: string
  requestKey: string
  wrong: { name?: string; phone?: string }
}

/** A number without its country: long enough for one, and nothing but a number. */
const LOCAL_NUMBER = /^\d{7,15}$/
const SEPARATORS = /[\s\-()./]/g
const KEY = /^[\w-]{16,100}$/

/** @param newKey of a form that lost its own. */
export function readBookingForm(
  form: URLSearchParams,
  words: PageWords['booking'],
  newKey: () => string,
): BookingForm {
  const name = cleanText(form.get('name') ?? '').trim()
  const phone = cleanText(form.get('phone') ?? '').trim()
  const key = form.get('key') ?? ''
  const nameWrong = judgeName(name, words)
  const phoneWrong = judgePhone(phone, words)
  return {
    name,
    phone,
    requestKey: KEY.test(key) ? key : newKey(),
    wrong: { ...(nameWrong && { name: nameWrong }), ...(phoneWrong && { phone: phoneWrong }) },
  }
}

function judgeName(name: string, words: PageWords['booking']): string | null {
  if (name === '') return words.nameMissing
  const most = APPOINTMENT_LIMITS.nameChars
  return countCodePoints(name) > most ? words.nameTooLong(most) : null
}

/** With its country a number is read as everywhere; without, it is kept as it is typed. */
function judgePhone(phone: string, words: PageWords['booking']): string | null {
  if (phone === '') return words.phoneMissing
  if (readPhone(phone, '').ok) return null
  const digits = withLatinDigits(phone).replaceAll(SEPARATORS, '')
  return LOCAL_NUMBER.test(digits) && !digits.startsWith('00') ? null : words.phoneWrong
}
