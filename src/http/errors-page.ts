import { PROBLEM_CODES } from '../core/vocabulary/problems.ts'
import { problemTitles } from '../i18n/problem-titles.ts'
import { PROBLEM_STATUS } from './errors.ts'

/** Returns the page that every problem's `type` points to: each code with its status and meaning. */
export function writeErrorsPage(): string {
  const rows = PROBLEM_CODES.map((code) => {
    return `<tr id="${code}"><td><code>${code}</code></td><td>${PROBLEM_STATUS[code]}</td><td>${problemTitles.en[code]}</td></tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wasla API errors</title>
<h1>Errors</h1><p>Branch on <code>code</code>, never on <code>title</code> or <code>detail</code>: their wording may change, and <code>Accept-Language</code> sets their language, English or Arabic.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows.join('\n')}</table></html>`
}
