/** A file with lines that a rule of the linter may refuse, and the linter as `npm run check` runs it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

/** @param rule as `.oxlintrc.json` names it, without its plugin */
export function plantFor(rule: string) {
  const copy = mkdtempSync(path.join(tmpdir(), `${rule}-`))
  for (const what of ['.oxlintrc.json', 'scripts/lint', 'src/flow-kinds/steps/steps.ts']) {
    cpSync(path.join(root, what), path.join(copy, what), { recursive: true })
  }
  return {
    /** The lines of a file that the rule refuses there, from 1. */
    refusedLines(file: string, lines: readonly string[]): number[] {
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
    },
    remove: () => rmSync(copy, { recursive: true }),
  }
}
