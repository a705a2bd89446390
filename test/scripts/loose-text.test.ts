/** The linter's rule that texts of the dashboard stand in its dictionaries, as `npm run check` runs it. */
import { afterAll, expect, test } from 'vitest'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'

const { refusedLines, remove } = plantFor('loose-text')
afterAll(remove)
const FILE = 'src/dashboard/home/Planted.tsx'

const PLANTED = [
  'export const A = () => <p>Hello</p>',
  "export const B = () => <p>{'Hello'}</p>",
  'export const C = () => <p>{`Hello ${name}`}</p>',
  'export const D = () => <>مرحبا</>',
  'export const E = () => <input aria-label="Search" />',
  "export const F = () => <input placeholder={'Search'} />",
  'export const G = () => <Panel title={`Today ${day}`} />',
]

test('text in the markup or in what is read aloud is refused', () => {
  expect(refusedLines(FILE, PLANTED)).toEqual(PLANTED.map((_, at) => at + 1))
})

systemTest('what the dictionary says, code, keys and signs pass', () => {
  const fine = [
    "export const A = () => <p>{t('hello')}</p>",
    'export const B = () => <Kbd>Ctrl K</Kbd>',
    'export const C = () => <Ltr>evt_1</Ltr>',
    'export const D = () => <p> · {name}</p>',
    'export const E = () => <input type="text" dir="ltr" />',
  ]
  expect(refusedLines(FILE, fine)).toEqual([])
})
