import { PROBLEM_CODES } from '../vocabulary.ts'
import { PROBLEMS } from './errors.ts'

/** The page that every problem's `type` points to: each code with its status and meaning. */
export function writeErrorsPage(): string {
  const rows = PROBLEM_CODES.map((code) => {
    const { status, title } = PROBLEMS[code]
    return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors of Wasla</title>
<h1>Errors</h1><p>Branch on <code>code</code>, never on <code>title</code> or <code>detail</code>.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows.join('\n')}</table></html>`
}
