import { readJson } from '../../src/rules/json-text.ts'
import { readLanguage } from '../../src/rules/language-reading.ts'
import { readAt } from '../../src/rules/path-expression.ts'
import type { ConformanceCase, Report } from './report.ts'

type LanguageCase = {
  id: string
  input?: unknown
  expect: string
  also_accept?: unknown[]
  contactLanguage?: string | null
  expectWithContact?: string | null
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as LanguageCase[]) {
    // The second answer is the run's language, where the case gives the contact one.
    const ofRun = one.expectWithContact === undefined ? [] : [one.expectWithContact]
    const accepted = [one.expect, ...(one.also_accept ?? [])].map((answer) => [answer, ...ofRun])
    await report.check(one.id, () => read(one), accepted)
  }
}

function read({ input, contactLanguage, expectWithContact }: LanguageCase): unknown[] {
  const body = readJson(JSON.stringify(input === undefined ? {} : { language: input }))
  if (!body.ok) throw new Error('its value is not JSON')
  const language = readLanguage(readAt(body.value, ['language']))
  const ofRun = expectWithContact === undefined ? [] : [language ?? contactLanguage ?? null]
  return [language ?? 'fallback', ...ofRun]
}
