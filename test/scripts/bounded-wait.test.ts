/** The linter's rule that a test never waits for ever, as `npm run check` runs it. */
import { afterAll, expect, test } from 'vitest'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'

const { refusedLines, remove } = plantFor('bounded-wait')
afterAll(remove)
const FILE = 'test/planted.ts'

test('a loop that awaits and has no count is refused', () => {
  const planted = [
    'while (!isDone()) await sleep()',
    'while (await isBusy()) look()',
    'do await look(); while (!isDone())',
    'for (;;) await look()',
    'for (let at = 0; at < 3; ) await look()',
    'for (let next = first; next; next = next.next) await look()',
  ]
  expect(refusedLines(FILE, planted)).toEqual(planted.map((_, at) => at + 1))
})

systemTest('counted loops, and loops that await nothing, pass', () => {
  const fine = [
    'for (let at = 0; at < 3; at += 1) await look()',
    'for (const one of all) await look(one)',
    'while (isOn()) step()',
    'while (isOn()) later(async () => await look())',
  ]
  expect(refusedLines(FILE, fine)).toEqual([])
})
