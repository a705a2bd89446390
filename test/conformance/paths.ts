import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { cutCodePoints, readJson } from '../../src/rules/text/json-text.ts'
import { readAt, readPathExpression } from '../../src/rules/hooks/path-expression.ts'
import { runRule } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type PathCase = {
  id: string
  body?: unknown
  bodyText?: string
  path: string
  expect: unknown
  use?: 'name' | 'value'
  also_accept?: unknown[]
}

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<PathCase>(cases, report, { read })

function read({ body, bodyText, path, use }: PathCase): unknown {
  const steps = readPathExpression(path)
  if (!steps.ok) return { invalid_path: true }
  const json = readJson(Buffer.from(bodyText ?? JSON.stringify(body)))
  if (!json.ok) return { not_json: json.reason }
  const text = readAt(json.value, steps.value)
  if (text === '') return null
  if (use === undefined) return text
  return cutCodePoints(text, use === 'name' ? HOOK_LIMITS.nameChars : HOOK_LIMITS.keptValueChars)
}
