/**
 * The guides say what the service does, and name texts of the screen in bold. Their commands:
 * test/e2e/guides.system.test.ts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { RETENTION } from '../../src/core/limits/retention.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { ATTEMPT_ERRORS } from '../../src/core/vocabulary/deliveries.ts'
import { CURRENT_API_VERSION, EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { formatterFor } from '../../src/http/localize.ts'
import { HOOK_STATUS_HTTP, HOOK_STATUSES } from '../../src/core/vocabulary/hooks.ts'
import { tryPath } from '../../src/modules/hooks/try-reading.ts'
import { readPhone } from '../../src/rules/messaging/phone-reading.ts'
import type { Words } from '../../src/core/words/define-words.ts'
import { textsOf } from '../support/texts-of.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
const FOLDER = path.join(PROJECT, 'docs/guides')
const GUIDE = readFileSync(path.join(FOLDER, 'receiving-webhooks.md'), 'utf8')

/** Returns the rows of the table whose first column has this heading, without marks. */
function rowsUnder(heading: string, guide = GUIDE): string[][] {
  const table = new RegExp(`^\\| ${heading} +\\|.*\\n\\|[ -|]+\\n((?:\\|.*\\n)+)`, 'm').exec(guide)
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

test('every field of the envelope and every reason of a failed attempt is listed', () => {
  expect(firstCells('Field of the envelope')).toEqual(Object.keys(WebhookEnvelope.shape))
  expect(firstCells('Word').toSorted()).toEqual(ATTEMPT_ERRORS.toSorted())
})

test('the attempts are due when the table says', () => {
  const [due] = rowsUnder('Attempt')
  const delays = DELIVERY_LIMITS.retryDelaysMs.map((ms) =>
    ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`,
  )
  expect(due).toEqual(['Due after', 'immediately', ...delays])
  expect(delays).toHaveLength(DELIVERY_LIMITS.attempts - 1)
})

test('the numbers of the guide are the limits', () => {
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

test('npm run listen, with which the guide begins, exists, and its program accepts the arguments', () => {
  expect(GUIDE).toContain('npm run listen -- http://localhost:8080/webhooks\n')
  const { scripts } = JSON.parse(readFileSync(path.join(FOLDER, '../../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [first, ...then] = scripts.listen!.split(' && ')
  expect(then).toEqual(['exec node --disable-warning=ExperimentalWarning scripts/listen.ts'])
  expect(scripts.start).toMatch(new RegExp(`^${RegExp.escape(first!)} && `))
})

test('every file and heading that the guide links to exists', () => {
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

const STARTING = readFileSync(path.join(FOLDER, 'starting-a-flow.md'), 'utf8')

test('starting a flow: every status is in the table, with its HTTP status', () => {
  const told = rowsUnder('`status`', STARTING).map(([status, http]) => [status, Number(http)])
  expect(told).toEqual(
    expect.arrayContaining(HOOK_STATUSES.map((status) => [status, HOOK_STATUS_HTTP[status]])),
  )
})

test('starting a flow: the phone numbers of the table are read as it says', () => {
  const countries: Record<string, string[]> = {
    'Saudi Arabia': ['SA'],
    'the United Arab Emirates': ['AE'],
    Kuwait: ['KW'],
    Qatar: ['QA'],
    Bahrain: ['BH'],
    Oman: ['OM'],
    Egypt: ['EG'],
    'the United States': ['US'],
    'the United Kingdom': ['GB'],
    'any country': ['SA', 'AE', 'KW', 'QA', 'BH', 'OM', 'EG', 'US', 'GB'],
  }
  const rows = rowsUnder('Sent', STARTING)
  for (const [sent, of, told] of rows) {
    for (const country of countries[of!]!) {
      const read = readPhone(sent!, country)
      expect([sent, country, read.ok ? read.value : 'refused']).toEqual([sent, country, told])
    }
  }
  expect(new Set(rows.map(([, of]) => of)).size).toBe(Object.keys(countries).length)
})

test('starting a flow: the paths of the table find these values in the body above it', () => {
  const [, body] = /^(\{\n {2}"customer"[^`]*)```/m.exec(STARTING)!
  for (const [asked, told] of rowsUnder('Path', STARTING).filter(
    ([, , why]) => why !== undefined,
  )) {
    const read = tryPath({ formatFact: formatterFor('en') }, { json: body!, path: asked! })
    expect([asked, read.ok && (read.value || 'nothing')]).toEqual([asked, told])
  }
})

const SOURCES = path.join(PROJECT, 'src')
const GUIDES = globSync('docs/guides/*.md', { cwd: PROJECT })
/**
 * Placeholders whose values differ between readers, and the fewest characters by which a text with them is
 * recognized.
 */
const VALUE = /\\\{\w+\\\}/g
const MIN_CHARS = 4

const modules = await Promise.all(
  globSync('{dashboard,core/words}/**/{words,words-*,*-words}.ts', {
    cwd: SOURCES,
    exclude: ['dashboard/node_modules/**'],
  }).map((file) => import(path.join(SOURCES, file)) as Promise<Record<string, Words>>),
)
const texts = modules
  .flatMap((module) => Object.values(module))
  .flatMap((table) => Object.values(table.en ?? {}))
  .flatMap(textsOf)
const isLong = (text: string) => text.replaceAll(/\{\w+\}/g, '').trim().length >= MIN_CHARS
const exact = new Set(texts.filter((text) => !text.includes('{')))
const patterns = texts
  .filter((text) => text.includes('{') && isLong(text))
  .map((text) => new RegExp(`^${RegExp.escape(text).replaceAll(VALUE, '.+')}$`))

/** Returns the parts of a guide that are about the dashboard. */
function dashboardParts(guide: string): string[] {
  const text = readFileSync(path.join(PROJECT, guide), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '')
  return text.split(/^(?=##)/m).filter((part) => /^#{2,3} In the dashboard$/m.test(part))
}

const boldIn = (part: string) =>
  [...part.matchAll(/\*\*([^*]+)\*\*/g)].map(([, bold]) => bold!.replaceAll(/\s+/g, ' '))

test('guides for merchants begin with the dashboard', () => {
  const without = GUIDES.filter((guide) => dashboardParts(guide).length === 0)
  expect(without.map((guide) => path.basename(guide, '.md')).toSorted()).toEqual([
    // The guide of the operator, and the one on what a program sends.
    'operating',
    'replicated-database',
    'several-processes',
    'starting-a-flow',
    'upgrading',
  ])
})

test.for(GUIDES)('%s names what a screen shows', (guide) => {
  const names = dashboardParts(guide).flatMap(boldIn)
  const unknown = names.filter(
    (name) => !exact.has(name) && !patterns.some((pattern) => pattern.test(name)),
  )
  expect(unknown).toEqual([])
})
