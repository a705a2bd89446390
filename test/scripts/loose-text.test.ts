/** The linter's rule that texts of the dashboard stand in its dictionaries, as `npm run check` runs it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const copy = mkdtempSync(path.join(tmpdir(), 'loose-text-'))
for (const what of ['.oxlintrc.json', 'scripts/lint', 'src/flows/steps/steps.ts']) {
  cpSync(path.join(root, what), path.join(copy, what), { recursive: true })
}
afterAll(() => rmSync(copy, { recursive: true }))

function refusedLines(lines: readonly string[]): number[] {
  const file = 'src/dashboard/home/Planted.tsx'
  mkdirSync(path.join(copy, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(copy, file), `${lines.join('\n')}\n`)
  const linter = path.join(root, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(linter, ['--format', 'json', file], { cwd: copy, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; labels: { span: { line: number } }[] }[]
  }
  return diagnostics
    .filter(({ code }) => code === 'wasla(loose-text)')
    .map(({ labels }) => labels[0]!.span.line)
    .toSorted((a, b) => a - b)
}

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
  expect(refusedLines(PLANTED)).toEqual(PLANTED.map((_, at) => at + 1))
})

test('what the dictionary says, code, keys and signs pass', () => {
  const fine = [
    "export const A = () => <p>{t('hello')}</p>",
    'export const B = () => <Kbd>Ctrl K</Kbd>',
    'export const C = () => <Ltr>evt_1</Ltr>',
    'export const D = () => <p> · {name}</p>',
    'export const E = () => <input type="text" dir="ltr" />',
  ]
  expect(refusedLines(fine)).toEqual([])
})
