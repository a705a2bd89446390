import { describe, expect, test } from 'vitest'
import { startCpuWatch } from '../support/stopwatch.ts'
import { withoutDelimiters } from '../../src/modules/assistant/delimit-untrusted.ts'
import { readAgreement } from '../../src/rules/assistant/agreement-reading.ts'
import { withoutMarkup } from '../../src/rules/assistant/model-markup.ts'
import { asksForPerson } from '../../src/rules/assistant/person-request.ts'
import { guardReply, type GuardContext } from '../../src/rules/assistant/reply-guard.ts'
import { replaceLinks } from '../../src/rules/assistant/reply-links.ts'
import { scriptOf } from '../../src/rules/assistant/reply-script.ts'
import { namesOtherTime } from '../../src/rules/assistant/booked-time.ts'
import { findUntrue } from '../../src/rules/assistant/statements/check-statements.ts'
import { readRequests } from '../../src/rules/assistant/statements/read-requests.ts'
import { readSentences } from '../../src/rules/assistant/statements/clauses.ts'
import { statementsIn } from '../../src/rules/assistant/statements/read-statements.ts'
import { splitText } from '../../src/rules/assistant/split-text.ts'
import { isToolText, readWrittenCalls } from '../../src/rules/assistant/written-calls.ts'
import { readIdempotencyKey } from '../../src/rules/hooks/idempotency-key.ts'
import { cleanText, compactJson, cutCodePoints, readJson } from '../../src/rules/text/json-text.ts'
import { readLanguage } from '../../src/rules/messaging/language-reading.ts'
import { readConnectionBaseUrl } from '../../src/rules/addresses/merchant-url.ts'
import { parseOptOutKeyword } from '../../src/rules/messaging/opt-out-word.ts'
import { readAt, readPathExpression } from '../../src/rules/hooks/path-expression.ts'
import { readPhone } from '../../src/rules/messaging/phone-reading.ts'
import { fillText } from '../../src/rules/text/placeholders.ts'
import { isPublicAddress } from '../../src/rules/addresses/public-address.ts'

const SIZE = 65_536
const fill = (unit: string, size = SIZE) =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const nothing = { vars: {}, contact: { name: null, phone: null } }

const saying = (text: string) => ({ type: 'text', text, transcript: null, buttonPayload: null })
const nothingKnown: GuardContext = {
  channelType: 'instagram',
  hosts: [],
  instructions: '',
  tools: [],
  marks: [],
  ids: [],
  done: [],
  proposal: null,
  handover: 'none',
  said: [],
  found: 1,
  isRepaired: false,
}

const NAMING = { ...nothingKnown, tools: ['find_slots', 'hand_over'] }
const judgeAtRisk = (text: string) =>
  findUntrue(text, { ...nothingKnown, atRisk: ['cancels', 'books'] })
const readStatements = (text: string) => [...statementsIn(readSentences(text))]
const BOOKING = { booked: 'Monday 7 December, 17:00', offered: '16:00', known: '' }
const namesTimes = (text: string) => namesOtherTime(text, BOOKING)

const readAndWrite = (text: string) => {
  const json = readJson(text)
  if (json.ok) {
    compactJson(json.value)
    readAt(json.value, ['a', 0])
  }
}

/**
 * Each rule with the inputs that would make a careless rule slow: twice the size may take at most twice the
 * time.
 */
const HOSTILE: [string, (size: number) => void][] = [
  ['JSON, open brackets', (size) => readAndWrite(fill('[', size))],
  ['JSON, nested lists', (size) => readAndWrite(fill('[', size / 2) + fill(']', size / 2))],
  ['JSON, one long number', (size) => readAndWrite(fill('9', size))],
  ['JSON, many large numbers', (size) => readAndWrite(`[${fill('12345678901234567,', size)}1]`)],
  ['JSON, quotes and escapes', (size) => readAndWrite(fill('"\\"', size))],
  ['JSON, digits in one string', (size) => readAndWrite(`"${fill('1', size)}"`)],
  ['JSON, NUL escapes', (size) => readAndWrite(`["${fill('\\u0000', size - (size % 6))}"]`)],
  ['clean text', (size) => cleanText(fill('\ud800\0', size))],
  ['cut text', (size) => cutCodePoints(fill('😀', size), size)],
  ['path, dots', (size) => readPathExpression(fill('a.', size))],
  ['path, brackets', (size) => readPathExpression(fill('[', size))],
  ['phone, digits', (size) => readPhone(fill('9', size), 'SA')],
  ['phone, spaces', (size) => readPhone(fill(' ', size), 'SA')],
  ['language', (size) => readLanguage(fill('ـ', size))],
  ['key, spaces', (size) => readIdempotencyKey(fill(' ', size))],
  ['key, bytes', (size) => readIdempotencyKey(fill('\u00ff', size))],
  ['placeholders, openings', (size) => fillText(fill('{{', size), nothing)],
  ['placeholders, openings and one end', (size) => fillText(`${fill('{{', size)}}}`, nothing)],
  ['placeholders, ends', (size) => fillText(fill('}}', size), nothing)],
  ['placeholders, spaces', (size) => fillText(`{{${fill(' ', size)}}}`, nothing)],
  ['URL, dots', (size) => readConnectionBaseUrl(`https://${fill('a.', size)}`)],
  ['URL, segments', (size) => readConnectionBaseUrl(`https://a.example/${fill('%2e/', size)}`)],
  ['address', (size) => isPublicAddress(fill(':', size))],
  ['STOP', (size) => parseOptOutKeyword(`${fill(' ', size)}x`)],
  [
    'agreement',
    (size) =>
      readAgreement([saying(fill('نعم ', size))], {
        id: 'p',
        kind: 'other',
        stated: 'change the address',
      }),
  ],
  ['wish for a person', (size) => asksForPerson(fill('I want ', size))],
  ['script', (size) => scriptOf(fill('a@', size))],
  ['cut, letters', (size) => splitText(fill('a', size), 'messenger')],
  ['cut, spaces', (size) => splitText(`a${fill(' ', size)}a`, 'messenger')],
  ['marks of data, openings and spaces', (size) => withoutDelimiters(`<<${fill('\t', size)}`)],
  ['marks of data, openings', (size) => withoutDelimiters(fill('<<data ', size))],
  ['marks of data, unseen signs', (size) => withoutDelimiters(fill('<<\u200b', size))],
  ['markup, openings', (size) => withoutMarkup(fill('<', size))],
  ['markup, tags', (size) => withoutMarkup(fill('<think>', size))],
  ['markup, ends', (size) => withoutMarkup(fill('</think>', size))],
  ['markup, channels', (size) => withoutMarkup(fill('<|channel|>a<|message|>', size))],
  [
    'markup, channels without marks',
    (size) => withoutMarkup(`analysisA${fill('commentary to=a ', size)}`),
  ],
  ['markup, announced', (size) => withoutMarkup(`here is my thinking${fill('here is my ', size)}`)],
  ['markup, speakers', (size) => withoutMarkup(fill('\nCustomer:', size))],
  ['markup, speakers and passwords', (size) => withoutMarkup(fill('\nUser: a\nPassword:', size))],
  ['markup, square brackets', (size) => withoutMarkup(fill('[', size))],
  ['markup, comments', (size) => withoutMarkup(fill('<!--', size))],
  ['markup, quotation marks', (size) => withoutMarkup(fill('«a', size))],
  ['calls, brackets', (size) => readWrittenCalls(fill('[{', size))],
  ['calls, many', (size) => readWrittenCalls(fill('{"name":"a"}', size))],
  ['calls, parameters', (size) => readWrittenCalls(`<function=a>${fill('<parameter=a>', size)}`)],
  ['calls, quotes', (size) => isToolText(fill('{"', size))],
  ['links, dots in brackets', (size) => replaceLinks(fill('a[.]', size), String)],
  ['links, dots apart', (size) => replaceLinks(fill('a . ', size), String)],
  // The rule does not read a longer text.
  ['reply, brackets', (size) => guardReply(fill('![](', size / 16), nothingKnown)],
  ['reply, stars', (size) => guardReply(fill('**a', size / 16), nothingKnown)],
  ['reply, sites', (size) => guardReply(fill('a.', size / 16), nothingKnown)],
  ['reply, spaces', (size) => guardReply(`a${fill(' \t', size / 16)}a`, nothingKnown)],
  ['reply, examples', (size) => guardReply(fill('Q: a\nA: b\n', size / 16), nothingKnown)],
  ['reply, ends of tags', (size) => guardReply(fill('</x', size / 16), nothingKnown)],
  ['reply, names of tools', (size) => guardReply(fill('use find slots ', size / 16), NAMING)],
  ['reply, claims', (size) => guardReply(fill('your order is ', size / 16), nothingKnown)],
  [
    'statements, one sentence',
    (size) => readStatements(fill('I and we have your order is ', size / 2)),
  ],
  [
    'statements, other words each time',
    (size) => readStatements(Array.from({ length: size / 16 }, (_, at) => `ab${at}ed`).join(' ')),
  ],
  ['requests', (size) => readRequests(fill('i want to cancel my order ابي الغي ', size))],
  ['loose statements', (size) => judgeAtRisk(fill('your order is not refunded ', size))],
  ['a text with times', (size) => namesTimes(fill('at 5 pm 5:00 الساعه 5 الاحد may 5 ', size / 2))],
  ['a text of digits and colons', (size) => namesTimes(fill('5:', size / 2))],
  ['statements, dots', (size) => readStatements(fill('. ', size / 4))],
  ['statements, apostrophes', (size) => readStatements(fill("i've'", size / 4))],
  ['statements, one word', (size) => readStatements(fill('ed', size / 4))],
  ['statements, Arabic', (size) => readStatements(fill('تم طلبك والموظف ', size / 4))],
  ['statements, one Arabic word', (size) => readStatements(fill('تنا', size / 4))],
  ['statements, Latin Arabic', (size) => readStatements(fill('7ajaztlak law ', size / 4))],
  [
    'statements, Latin Arabic promises',
    (size) => readStatements(fill('hakhalli el ma7al ', size / 4)),
  ],
  ['statements, progress', (size) => readStatements(fill('let me cancel it now ', size / 4))],
  ['statements, Arabic progress', (size) => readStatements(fill('عم بلغي لك ', size / 4))],
  ['statements, Arabic answers', (size) => readStatements(fill('بخلي المحل يكلمك ', size / 4))],
  ['statements, markup', (size) => readStatements(fill('*_ "', size / 4))],
]

/** Returns the processor time of one run in ms. */
function tookMs(work: () => void): number {
  const elapsedMs = startCpuWatch()
  work()
  return elapsedMs()
}

const bestOfThreeMs = (work: () => void) => Math.min(...[1, 2, 3].map(() => tookMs(work)))

const TRIES = 12
/** Four microseconds a character: a slow machine under load takes half of it for the most expensive rule. */
const MAX_MS = 250

/** Returns the fastest of several runs: garbage collection and compilation can only make a run slower. */
function fastestMs(work: () => void, goodEnoughMs: number): number {
  let fastest = tookMs(work)
  for (let tries = 1; tries < TRIES && fastest >= goodEnoughMs; tries += 1) {
    fastest = Math.min(fastest, tookMs(work))
  }
  return fastest
}

describe('64 KB of hostile input cost no rule more than its size', () => {
  test.each(HOSTILE)('%s', (_, work) => {
    const onceMs = Math.min(
      bestOfThreeMs(() => work(SIZE)),
      fastestMs(() => work(SIZE), MAX_MS),
    )
    expect(onceMs).toBeLessThan(MAX_MS)
    // A quadratic rule would take sixteen times as long for four times the input.
    const maxMs = Math.max(20, 10 * onceMs)
    expect(fastestMs(() => work(4 * SIZE), maxMs)).toBeLessThan(maxMs)
  })
})

test('an ordinary body of 1 KB is read in microseconds', () => {
  const customer = { phone: '+966501234567', name: 'سارة', lang: 'ar' }
  const item = (_: unknown, at: number) => ({ sku: `X-${at}`, quantity: 2, price: 19.9 })
  const order = { id: 'A-1', total: 125.5, items: Array.from({ length: 12 }, item) }
  const body = new TextEncoder().encode(JSON.stringify({ customer, order }))
  const rounds = 2_000
  const readAll = () => {
    for (let i = 0; i < rounds; i++) {
      const json = readJson(body, { mustBeContainer: true })
      if (json.ok) readAt(json.value, ['customer', 'phone'])
    }
  }
  readAll()
  expect((bestOfThreeMs(readAll) * 1_000) / rounds).toBeLessThan(200)
})
