/** docs/guides/receiving-webhooks.md says what the service does. Its commands: test/e2e/guides.system.test.ts. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { EVENT_DATA, WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { RETENTION } from '../../src/limits/retention.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { ATTEMPT_ERRORS } from '../../src/vocabulary/deliveries.ts'
import { CURRENT_API_VERSION, EVENT_TYPES } from '../../src/vocabulary/events.ts'

const FOLDER = path.join(import.meta.dirname, '../../docs/guides')
const GUIDE = readFileSync(path.join(FOLDER, 'receiving-webhooks.md'), 'utf8')

/** The rows of the table whose first column has this heading, without marks. */
function rowsUnder(heading: string): string[][] {
  const table = new RegExp(`^\\| ${heading} +\\|.*\\n\\|[ -|]+\\n((?:\\|.*\\n)+)`, 'm').exec(GUIDE)
  return table![1]!
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}
const firstCells = (heading: string) => rowsUnder(heading).map(([first]) => first!)

test('every event type is in the table, with the names of its data', () => {
  expect(firstCells('Event')).toEqual(EVENT_TYPES)
  for (const [type, , data] of rowsUnder('Event')) {
    for (const name of Object.keys(EVENT_DATA[type as keyof typeof EVENT_DATA].shape)) {
      expect([type, data]).toEqual([type, expect.stringContaining(name)])
    }
  }
})

test('every field of the envelope and every reason of a failed attempt is told', () => {
  expect(firstCells('Field of the envelope')).toEqual(Object.keys(WebhookEnvelope.shape))
  expect(firstCells('Word').toSorted()).toEqual(ATTEMPT_ERRORS.toSorted())
})

test('the attempts are due when the table says', () => {
  const [due] = rowsUnder('Attempt')
  const delays = DELIVERY_LIMITS.retryDelaysMs.map((ms) =>
    ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`,
  )
  expect(due).toEqual(['Due after', 'at once', ...delays])
  expect(delays).toHaveLength(DELIVERY_LIMITS.attempts - 1)
})

test('its numbers are the limits', () => {
  const { urlChars, nameChars, endpointsPerCompany, testsAndResendsPerMinute } = DELIVERY_LIMITS
  const days = RETENTION.deliveryLogMs / (24 * HOUR_MS)
  for (const told of [
    `up to ${urlChars} characters`,
    `1 to ${nameChars} characters`,
    `Up to ${endpointsPerCompany} a company`,
    `up to ${testsAndResendsPerMinute} a minute for the account`,
    `within **${DELIVERY_LIMITS.answerMs / 1_000} seconds**`,
    `more than **${DELIVERY_LIMITS.signatureToleranceMs / 1_000} seconds** away`,
    `after ${DELIVERY_LIMITS.switchOffAfterFailuresInRow} failures in a row`,
    `at ${DELIVERY_LIMITS.warnAfterFailuresInRow} failures in a row`,
    `For **${DELIVERY_LIMITS.secretOverlapMs / HOUR_MS} hours**`,
    `Keep ids for ${days} days`,
    `at most ${DELIVERY_LIMITS.bodyBytes / 1_024} KB`,
    `today \`${CURRENT_API_VERSION}\``,
  ]) {
    expect(GUIDE.replaceAll(/\s+/g, ' ')).toContain(told)
  }
})

test('npm run listen, which it begins with, is there, and its program takes what it is given', () => {
  expect(GUIDE).toContain('npm run listen -- http://localhost:8080/webhooks\n')
  const { scripts } = JSON.parse(readFileSync(path.join(FOLDER, '../../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [first, ...then] = scripts.listen!.split(' && ')
  expect(then).toEqual(['exec node --disable-warning=ExperimentalWarning scripts/listen.ts'])
  expect(scripts.start).toMatch(new RegExp(`^${RegExp.escape(first!)} && `))
})

test('every file and place that it links to is there', () => {
  const headings = [...GUIDE.matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const [, link] of GUIDE.matchAll(/\]\(([^)]+)\)/g)) {
    const isThere = link!.startsWith('#')
      ? headings.includes(link!.slice(1))
      : existsSync(path.join(FOLDER, link!))
    expect([link, isThere]).toEqual([link, true])
  }
})
