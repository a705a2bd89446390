/** Rules whose time must grow with the length of the input alone. These tests measure the processor's time. */
import { describe, expect, test } from 'vitest'
import { startCpuWatch } from '../support/stopwatch.ts'
import { createRedactor } from '../../src/infra/redaction/redactor.ts'
import { readImportRow } from '../../src/rules/contacts/import-row.ts'
import { isAllowedByRobots } from '../../src/rules/knowledge/robots.ts'

/** Returns the milliseconds of the processor's time that the work took. */
function took(work: () => void): number {
  const tookMs = startCpuWatch()
  work()
  return tookMs()
}

test('an e-mail address in an import is checked within a second, however long the cell is', () => {
  const cells = new Map([['email', `sara@${'.'.repeat(100_000)}@`]] as const)
  const read = () => {
    const { faults } = readImportRow(cells, { fields: new Map(), country: null })
    expect(faults).toMatchObject([{ target: 'email', problem: { code: 'too_long' } }])
  }
  expect(took(read)).toBeLessThan(1_000)
})

describe('robots.txt is read within a second', () => {
  test('when a pattern has many stars', () => {
    const robots = `User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`
    const read = () => expect(isAllowedByRobots(robots, `/${'a'.repeat(4_000)}b`)).toBe(true)
    expect(took(read)).toBeLessThan(1_000)
  })

  test.each([
    ['a value has many spaces', `User-agent: *\nDisallow: /x${' '.repeat(200_000)}y`],
    [
      'a group has many names',
      `${Array.from({ length: 12_000 }, (_, at) => `User-agent: a${at}`).join('\n')}\nUser-agent: *\n${'Disallow: /x\n'.repeat(2_000)}`,
    ],
  ])('when %s', (_what, robots) => {
    expect(took(() => expect(isAllowedByRobots(robots, '/y')).toBe(true))).toBeLessThan(1_000)
  })
})

describe('credentials are removed from a large answer', () => {
  const ANSWER_BYTES = 262_144
  const SECRET = 'tök/en+"se\\cret 1'
  const fill = (unit: string) => unit.repeat(Math.ceil(ANSWER_BYTES / unit.length))
  const expectUnchanged = (text: string, secret = SECRET) =>
    expect(createRedactor([secret]).text(text)).toBe(text)

  test.each([
    ['is full of escapes', fill('%25\\u005c&#38;').slice(0, ANSWER_BYTES), SECRET],
    [
      'is mostly white space, when the credential is several words',
      fill('\t \u2028 a').slice(0, ANSWER_BYTES),
      'a b c d e f',
    ],
    ['repeats most of a long credential', fill('a'), `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`],
  ])('within seconds when it %s', (_what, text, secret) => {
    expect(took(() => expectUnchanged(text, secret))).toBeLessThan(10_000)
  })

  /** Returns the largest share of the processor's time that one step took. */
  function worstShare(steps: Iterable<undefined>): number {
    let [worst, total] = [0, 0]
    let from = process.threadCpuUsage()
    for (const _ of steps) {
      const { user, system } = process.threadCpuUsage(from)
      worst = Math.max(worst, user + system)
      total += user + system
      from = process.threadCpuUsage()
    }
    return worst / total
  }

  const hostile = ['%26amp;\\u0026amp;', '%26%5c&#37;\\u0026', '%25%32%35\\u0026&#37;&amp;%5c%26']
  test.each(['abc', 'sk_live_credential'])('in steps, none with most of the work: %s', (secret) => {
    const redactor = createRedactor([secret])
    for (const unit of hostile) {
      const text = fill(unit)
      // Other work of the machine only ever makes a share larger.
      const shares = Array.from({ length: 5 }, () => worstShare(redactor.textInSteps(text)))
      expect(Math.min(...shares)).toBeLessThan(0.6)
    }
  })
})
