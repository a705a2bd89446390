/** The tables of docs/guides/starting-a-flow.md say what the service does. */
import { tellIn } from '../../src/http/told-in.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HOOK_STATUS_HTTP } from '../../src/vocabulary/hooks.ts'
import { tryPath } from '../../src/hooks/try-reading.ts'
import { readPhone } from '../../src/rules/messaging/phone-reading.ts'
import { HOOK_STATUSES } from '../../src/vocabulary/hooks.ts'

const GUIDE = readFileSync(new URL('../../docs/guides/starting-a-flow.md', import.meta.url), 'utf8')

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

test('every status is in the table, with its HTTP status', () => {
  const told = rowsUnder('`status`').map(([status, http]) => [status, Number(http)])
  expect(told).toEqual(
    expect.arrayContaining(HOOK_STATUSES.map((status) => [status, HOOK_STATUS_HTTP[status]])),
  )
})

test('the phone numbers of the table are read as it says', () => {
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
  const rows = rowsUnder('Sent')
  for (const [sent, of, told] of rows) {
    for (const country of countries[of!]!) {
      const read = readPhone(sent!, country)
      expect([sent, country, read.ok ? read.value : 'refused']).toEqual([sent, country, told])
    }
  }
  expect(new Set(rows.map(([, of]) => of)).size).toBe(Object.keys(countries).length)
})

test('the paths of the table read from the body above it what it says', () => {
  const [, body] = /^(\{\n {2}"customer"[^`]*)```/m.exec(GUIDE)!
  for (const [path, told] of rowsUnder('Path').filter(([, , why]) => why !== undefined)) {
    const read = tryPath({ tell: tellIn('en') }, { json: body!, path: path! })
    expect([path, read.ok && (read.value || 'nothing')]).toEqual([path, told])
  }
})
