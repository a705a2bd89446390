/**
 * The demonstration's scripted model. It applies simple rules to the customer's last message, the offered tools and
 * their results. It is no language model and knows only the results of tools.
 */
import {
  askWho,
  CLOCK_TIME,
  PATTERNS,
  HOUR,
  offerTimes,
  ORDER_NUMBER,
  say,
  formatStatus,
  type Language,
} from './phrases.ts'
import type { OfferedFunction, ChatRequest } from './read-chat-request.ts'

/** An answer of the script: a text, or the call of a tool. */
export type ScriptedAnswer = { text: string; call: { name: string; input: object } | null }

/** Returns the answer of the scripted model to a request: a text or a tool call, by fixed rules. */
export function answerByScript(request: ChatRequest): ScriptedAnswer {
  const language: Language = /[\u0600-\u06ff]/.test(request.lastMessage) ? 'ar' : 'en'
  const words = normalizeText(request.lastMessage)
  const last = request.results.at(-1)
  if (last) return afterTool(request, last, language)
  return (
    testQuestion(request) ??
    afterAgreement(request, language) ??
    afterRepair(request, language) ??
    handleRequest({ request, words, language })
  )
}

const text = (said: string): ScriptedAnswer => ({ text: said, call: null })
const use = (name: string, input: object, said = ''): ScriptedAnswer => ({
  text: said,
  call: { name, input },
})

type Turn = { request: ChatRequest; words: string; language: Language }

const offered = ({ tools }: ChatRequest, name: string): OfferedFunction | undefined =>
  tools.find((tool) => tool.name === name)

/** Answers the test question of a member who sets this server up as a model. */
function testQuestion({ tools }: ChatRequest): ScriptedAnswer | null {
  const isTest = tools.length === 1 && tools[0]!.name === 'read_line'
  return isTest ? use('read_line', { line: 7 }) : null
}

/**
 * Answers after the customer agreed or declined. Code has read their answer, and the instructions contain the result.
 */
function afterAgreement(request: ChatRequest, language: Language): ScriptedAnswer | null {
  const { instructions } = request
  if (instructions.includes('The customer agreed to what was proposed.')) {
    const outcome = instructions.split('The customer agreed to what was proposed.')[1]!
    const isFailed = /could not|not be checked|nothing was|failed/i.test(outcome)
    if (!isFailed) return text(say('outcome_done', language))
    const words = normalizeText(request.lastMessage)
    const said = REFUSED.test(outcome) ? 'outcome_refused' : 'outcome_failed'
    return handOver({ request, words, language }, 'needs_staff_action', said)
  }
  if (/what was proposed(: nothing was done, and it)? is withdrawn/i.test(instructions)) {
    return text(say('withdrawn', language))
  }
  const isUnclear = instructions.includes('agrees to what was proposed is not clear')
  return isUnclear ? text(say('ask_again', language)) : null
}

/** The result of a tool if the merchant's system refused the action. */
const REFUSED = /system refused/i

/** Returns a plain sentence, because the last text was not sent. */
function afterRepair({ instructions }: ChatRequest, language: Language): ScriptedAnswer | null {
  return instructions.includes('Your last text was not sent') ? text(say('help', language)) : null
}

/** The maximum length of a yes or a button's label. */
const SHORT = 14

/** Handles the customer's request, the simplest kinds first. */
function handleRequest(turn: Turn): ScriptedAnswer {
  const { request, words, language } = turn
  if (PATTERNS.person.test(words)) return handOver(turn, 'customer_asked_for_person', 'person')
  if (PATTERNS.upset.test(words)) return handOver(turn, 'customer_upset', 'sorry')
  if (PATTERNS.cancel.test(words)) return cancel(turn)
  const chosen = chooseTime(turn)
  if (chosen) return chosen
  if (PATTERNS.bulk.test(words) && offered(request, 'record_lead')) {
    return use('record_lead', {
      score: 60,
      temperature: 'warm',
      summary: request.lastMessage.slice(0, 500),
    })
  }
  const aboutOrder = lookUpOrder(turn)
  if (aboutOrder) return aboutOrder
  const booking = offered(request, 'find_slots')
  if (PATTERNS.book.test(words) && booking) {
    return use('find_slots', { service: serviceMeant(booking, words) })
  }
  if (PATTERNS.answer.test(words) && words.length < SHORT) return text(say('answer', language))
  if (PATTERNS.greeting.test(words) && words.length < 30) return text(say('greeting', language))
  if (PATTERNS.help.test(words) && words.length < SHORT) return text(say('help', language))
  if (PATTERNS.thanks.test(words)) return text(say('welcome', language))
  if (!offered(request, 'search_knowledge')) return text(say('help', language))
  return use('search_knowledge', { wordings: [request.lastMessage.slice(0, 200)] })
}

function handOver(
  { request, language }: Turn,
  reason: string,
  says: 'person' | 'sorry' | 'unknown' | 'outcome_failed' | 'outcome_refused',
): ScriptedAnswer {
  const said = say(says, language)
  if (!offered(request, 'hand_over')) return text(said)
  return use('hand_over', { reason, reason_text: request.lastMessage.slice(0, 300) }, said)
}

/** Returns the requested action, matched by the words of its name. */
function actionOf({ tools }: ChatRequest, isCancelling: boolean): OfferedFunction | undefined {
  return tools.find(
    ({ name }) =>
      name.startsWith('action_') &&
      (isCancelling
        ? /cancel/.test(name)
        : /order|status|track/.test(name) && !/cancel/.test(name)),
  )
}

function cancel({ request, words, language }: Turn): ScriptedAnswer {
  const number = ORDER_NUMBER.exec(words)?.[1]
  const action = actionOf(request, true)
  const isVisit = PATTERNS.appointment.test(words) && !PATTERNS.order.test(words)
  if (action && !isVisit) {
    return number === undefined ? text(say('which_order', language)) : useWith(action, number)
  }
  if (offered(request, 'cancel_appointment')) return use('cancel_appointment', {})
  return handOver({ request, words, language }, 'needs_staff_action', 'person')
}

function lookUpOrder({ request, words, language }: Turn): ScriptedAnswer | null {
  const action = actionOf(request, false)
  if (!action) return null
  const number = ORDER_NUMBER.exec(words)?.[1]
  const hasAskedForOrder = [say('which_order', 'ar'), say('which_order', 'en')].includes(
    request.previousAnswer,
  )
  if (
    number !== undefined &&
    (hasAskedForOrder || PATTERNS.order.test(words) || words === number)
  ) {
    return useWith(action, number)
  }
  return PATTERNS.order.test(words) && PATTERNS.own.test(words)
    ? text(say('which_order', language))
    : null
}

const useWith = (action: OfferedFunction, number: string): ScriptedAnswer =>
  use(action.name, { [action.required[0] ?? 'number']: number })

/** Returns the service that the customer's message names, or else the first one. */
function serviceMeant({ properties }: OfferedFunction, words: string): string {
  const services = properties['service']?.enum ?? []
  const isMeasuring = PATTERNS.measuring.test(words)
  const meant = services.find(
    (name) => PATTERNS.measuring.test(normalizeText(name)) === isMeasuring,
  )
  return meant ?? services[0] ?? ''
}

const DAY = /\d{4}-\d{2}-\d{2}/

/** Returns an answer if the customer chose a time that the assistant's last message offered. */
function chooseTime({ request, words, language }: Turn): ScriptedAnswer | null {
  const booking = offered(request, 'book_appointment')
  const day = DAY.exec(request.previousAnswer)?.[0]
  if (!booking || day === undefined) return null
  const times = [...request.previousAnswer.matchAll(/\d{2}:\d{2}/g)].map(([time]) => time)
  const service =
    (booking.properties['service']?.enum ?? []).find((name) =>
      request.previousAnswer.startsWith(name),
    ) ?? booking.properties['service']?.enum?.[0]
  const isAsked = request.previousAnswer === askWho(day, times[0] ?? '', language)
  const time = isAsked ? times[0] : timeMeant(words, times)
  if (time === undefined) return null
  const input = { service, starts: `${day}T${time}` }
  if (!booking.required.includes('phone')) return use('book_appointment', input)
  const phone = /\+?\d[\d -]{6,}\d/.exec(request.lastMessage)?.[0]
  if (phone === undefined) return text(askWho(day, time, language))
  const name =
    request.lastMessage
      .replace(phone, '')
      .replaceAll(/[,،.\n]/g, ' ')
      .trim() || '-'
  return use('book_appointment', { ...input, name, phone })
}

function timeMeant(words: string, times: readonly string[]): string | undefined {
  const [, hours, minutes] = CLOCK_TIME.exec(words) ?? []
  if (hours !== undefined)
    return times.find((time) => time === `${hours.padStart(2, '0')}:${minutes}`)
  const hour = HOUR.exec(words)?.[1] ?? /^(\d{1,2})$/.exec(words)?.[1]
  if (hour === undefined) return undefined
  return times.find((time) => [Number(hour), Number(hour) + 12].includes(Number(time.slice(0, 2))))
}

/** Returns the answer after the result of a tool. */
function afterTool(
  request: ChatRequest,
  { name, text: result }: ChatRequest['results'][number],
  language: Language,
): ScriptedAnswer {
  const turn: Turn = { request, words: normalizeText(request.lastMessage), language }
  const isNothing = /^nothing was found/i.test(result)
  return (AFTER[name] ?? afterAction)({ turn, result, isNothing, language })
}

type ToolOutcome = { turn: Turn; result: string; isNothing: boolean; language: Language }

/** The answers by the tool that returned a result. Any other tool is an action of the merchant. */
const AFTER: Readonly<Record<string, ((result: ToolOutcome) => ScriptedAnswer) | undefined>> = {
  search_knowledge: ({ turn, result, isNothing }) =>
    isNothing ? handOver(turn, 'missing_information', 'unknown') : answerFrom(turn, result),
  find_slots: ({ result, language }) => offerFoundTimes(result, language),
  book_appointment: ({ result, language }) => {
    const isTaken = /^nothing was booked|no longer free/i.test(result)
    return text(say(isTaken ? 'not_booked' : 'booked', language))
  },
  cancel_appointment: ({ result, isNothing, language }) => {
    if (isNothing) return text(say('nothing_found', language))
    const isAsked = result.startsWith('Ask which')
    return text(isAsked ? result.slice(result.indexOf('\n') + 1) : say('stated', language))
  },
  record_lead: ({ language }) => text(say('noted', language)),
  hand_over: ({ language }) => text(say('person', language)),
}

function afterAction({ result, isNothing, language }: ToolOutcome): ScriptedAnswer {
  if (isNothing) return text(say('nothing_found', language))
  if (REFUSED.test(result)) return text(say('outcome_refused', language))
  if (/could not|cannot|nothing was called|no more actions|at most/i.test(result)) {
    return text(say('not_checked', language))
  }
  if (result.startsWith('This is a trial')) return text(say('trial', language))
  const isProposed = /propos|asks? (them|the customer)|agree/i.test(result)
  return text(isProposed ? say('stated', language) : formatStatus(result, language))
}

const FREE = /^Free for (.+) on (\d{4}-\d{2}-\d{2})(?: \([^)]*\))?: (.+)$/m
const TIMES_SAID = 4

function offerFoundTimes(result: string, language: Language): ScriptedAnswer {
  const [, service, day, times] = FREE.exec(result) ?? []
  if (service === undefined || day === undefined) return text(say('nothing_free', language))
  const free = (times ?? '').split(', ').slice(0, TIMES_SAID)
  return text(offerTimes({ service, day, times: free }, language))
}

const CHUNK = /\[(\d+)\] ([^\n]*)\n([\s\S]*?)(?=\n\n\[\d+\] |$)/g
const MAX_SAID = 320

/** Returns the first passage in the customer's script, its first sentences, with its number. */
function answerFrom(turn: Turn, result: string): ScriptedAnswer {
  const chunks = [...result.matchAll(CHUNK)].map(([, number, , body]) => ({ number, body: body! }))
  const isArabic = (body: string) => /[\u0600-\u06ff]/.test(body)
  const chunk = chunks.find(({ body }) => isArabic(body) === (turn.language === 'ar'))
  if (!chunk) return handOver(turn, 'missing_information', 'unknown')
  const sentences = chunk.body.replaceAll(/\s+/g, ' ').match(/[^.!?؟]+[.!?؟]?/g) ?? [chunk.body]
  let said = ''
  for (const sentence of sentences) {
    if (said !== '' && said.length + sentence.length > MAX_SAID) break
    said += sentence
  }
  return text(`${said.trim().slice(0, 900)} [${chunk.number}]`)
}

/**
 * Normalizes a customer's text for matching: lower case, one form of alef, ta marbuta as ha, no diacritics, ASCII
 * digits.
 */
export function normalizeText(words: string): string {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u064b-\u0652\u0670\u0640]/g, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replaceAll(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .trim()
}
