/** A file with lines that a rule of the linter may refuse, and the linter as `npm run check` runs it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { makeFolder } from './own-folder.ts'

const root = path.join(import.meta.dirname, '../..')

/** Returns what finds the lines of a file that the rule refuses there, from 1; the rule by its name without its plugin. */
export function plantFor(rule: string) {
  const copy = makeFolder(rule, afterAll)
  for (const what of ['.oxlintrc.json', 'scripts/lint', 'src/flow-kinds/steps/steps.ts']) {
    cpSync(path.join(root, what), path.join(copy, what), { recursive: true })
  }
  return (file: string, lines: readonly string[]): number[] => {
    const place = path.join(copy, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, `${lines.join('\n')}\n`)
    const linter = path.join(root, 'node_modules/.bin/oxlint')
    const asked = { cwd: copy, encoding: 'utf8' } as const
    const { stdout } = spawnSync(linter, ['--format', 'json', file], asked)
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; labels: { span: { line: number } }[] }[]
    }
    return diagnostics
      .filter(({ code }) => code === `wasla(${rule})`)
      .map(({ labels }) => labels[0]!.span.line)
      .toSorted((a, b) => a - b)
  }
}
