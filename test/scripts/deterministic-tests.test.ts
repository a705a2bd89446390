/** The linter's rule that no test depends on the speed of the machine or on chance, as `npm run check` runs it. */
import { afterAll, expect, test } from 'vitest'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'

const { refusedLines, remove } = plantFor('deterministic-tests')
afterAll(remove)

const REFUSED = [
  'began = performance.now()',
  'began = process.hrtime()',
  'began = process.hrtime.bigint()',
  'used = process.cpuUsage()',
  'used = process.threadCpuUsage(used)',
  "import { startStopwatch } from '../support/stopwatch.ts'",
  'expect(tookMs).toBeLessThan(1_000)',
  'expect(tookMs()).not.toBeLessThanOrEqual(1_000)',
  'expect.soft(calls[0]!.durationMs).toBeLessThan(1_000)',
  'expect(Date.now() - began).toBeGreaterThan(400)',
  'spent = new Date().getTime() - began',
  'chosen = all[Math.floor(Math.random() * all.length)]',
]
const FILES = ['test/planted.test.ts', 'src/rules/planted.test.ts', 'test/support/planted.ts']

test.each(FILES)('what measures real time, and what chance decides, is refused in %s', (file) => {
  expect(refusedLines(file, REFUSED)).toEqual(REFUSED.map((_, at) => at + 1))
})

systemTest('a test of the system tier may measure', () => {
  expect(refusedLines('test/planted.system.test.ts', REFUSED)).toEqual([])
})

systemTest('counts, the clock of the test, seeded chance and spies pass', () => {
  const fine = [
    'expect(statements).toBeLessThan(10)',
    'expect(dueInMs).toBeLessThan(60_000)',
    'expect(tookMs).toBeGreaterThan(480)',
    'const ahead = new Date(Date.now() + 60_000)',
    'const passed = world.clock.now().getTime() - began',
    'world.clock.advance(Date.now() - world.clock.now().getTime())',
    "const random = createRandom('names')",
    "vi.spyOn(performance, 'now').mockReturnValue(0)",
    "vi.spyOn(Math, 'random').mockReturnValue(1)",
  ]
  expect(refusedLines('test/planted.test.ts', fine)).toEqual([])
})

systemTest('time that the test moves itself may be read', () => {
  const read = ['const began = performance.now()', 'const passed = Date.now() - began']
  const all = ['vi.useFakeTimers()', ...read]
  const dateAlone = ["vi.useFakeTimers({ toFake: ['Date'] })", ...read]
  expect(refusedLines('test/planted.test.ts', all)).toEqual([])
  expect(refusedLines('test/planted.test.ts', dateAlone)).toEqual([2])
})
