/** docs/guides/receiving-webhooks.md says what the service does, and its commands do what it says. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { EVENT_DATA, WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { DELIVERY_LIMITS, HOUR_MS, MINUTE_MS, RETENTION } from '../../src/limits.ts'
import { ATTEMPT_ERRORS, CURRENT_API_VERSION, EVENT_TYPES } from '../../src/vocabulary.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { verifyDeliveries } from '../support/verify-deliveries.ts'

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

test('its commands register an endpoint, test it, bring it back and rotate its secret', async () => {
  const world = await createWorld()
  try {
    const shop = await createShop(world)
    const { token } = await signedIn(world, { accountId: shop.accountId })
    const commands = [...GUIDE.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block]) => block)
    const script = [
      'pick() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -n 1 | cut -d \'"\' -f 4; }',
      ...commands.map((block) => `${block}\necho`),
      'echo "SECRET $SECRET"',
    ].join('\n')
    const { stdout } = await promisify(execFile)(
      'bash',
      [
        '-eu',
        '-o',
        'pipefail',
        '-c',
        script.replace('https://shop.example.com/webhooks', world.receiver.url),
      ],
      {
        env: {
          PATH: process.env.PATH,
          BASE: `${world.url}/api/companies/${shop.companyId}`,
          AUTH: `Authorization: Bearer ${token}`,
        },
      },
    )
    const { received } = world.receiver
    expect(received.map(({ event }) => [event.type, event.test])).toEqual([
      ['flow.completed', true],
    ])
    const [, secret] = /^SECRET (whsec_[A-Za-z0-9_-]{43})$/m.exec(stdout)!
    await verifyDeliveries(received, secret!, world.clock.now())
    expect(stdout).toContain('"isOn":true')
    expect(stdout).toContain('"kind":"held"')
    expect(stdout).toMatch(/"secret":"whsec_[A-Za-z0-9_-]{43}"/)
    expect(stdout).toContain('"kind":"test"')
    // The one delivery in the log is the test, which is not resent.
    expect(stdout.match(/"code":"\w+"/g)).toEqual(['"code":"conflict"'])
  } finally {
    await world.close()
  }
})
