/** Redaction cases of the runner: those written here, and the external ones. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder, run, WITHIN_MS } from './runner.ts'

const CASES = join(import.meta.dirname, '../../../shared/conformance/cases')

test('the credential is searched for as plain text and as JSON, and an unknown field of a case fails', async () => {
  const auth = { kind: 'bearer' }
  const token = 'tok_9fQ2/x+L"m7Rz'
  const cases = [
    { id: 'D1', answer: `x ${token} y`, expect: { lacks: ['tok_'], keeps: ['x ', ' y'] } },
    { id: 'D2', json: { a: token, b: 1 }, expect: { lacks: ['L"m7'], keeps: ['"b":1'] } },
    { id: 'D3', pieces: ['a', { repeat: 'bc', times: 2 }], expect: { kept: true } },
    { id: 'D4', answer: 'x', expect: { lacks: ['x'] }, also_accept: [{ kept: true }] },
    { id: 'D5', answer: 'x y', expect: { lacks: ['x'] } },
    { id: 'D6', answer: token, expect: { kept: true } },
    { id: 'D7', answer: 'x', expect: { kept: true }, weather: 'fine' },
    { id: 'D8', answer: 'x', expect: { kept: true, weather: 'fine' } },
  ].map((one) => ({ auth, credential: { token }, ...one }))
  expect(await inFolder({ 'redaction.json': { cases } })).toEqual([
    1,
    expect.stringMatching(/^FAIL redaction.json D5: .*"x y"/),
    expect.stringMatching(/^FAIL redaction.json D6: .*\[removed\]/),
    'FAIL redaction.json D7: the runner has no word for "weather"',
    'FAIL redaction.json D8: the runner has no word for "weather"',
    expect.stringMatching(/^redaction: at most \d+ ms for one answer \(D\d\)$/),
    'redaction.json: 4 passed, 4 failed',
  ])
})

const isGiven = existsSync(CASES)

test(
  `the external cases of redaction pass${isGiven ? '' : ' (there are none here)'}`,
  async () => {
    const { lines } = isGiven ? await run(CASES, '--only', 'redaction') : { lines: [] }
    expect(lines.filter((line) => line.startsWith('FAIL '))).toEqual([])
    if (isGiven) expect(lines.at(-1)).toMatch(/^redaction.json: \d+ passed, 0 failed$/)
  },
  WITHIN_MS,
)
