import { z } from 'zod'
import { fact } from '../core/facts/fact.ts'
import { cleanText, countCodePoints } from '../rules/text/json-text.ts'
import { issueFact } from './broken-rule.ts'

/**
 * A text of a form: white space around it is dropped, what PostgreSQL cannot hold is replaced, and
 * characters are counted as code points, from `least` to `most`.
 */
export function formText(least: number, most: number) {
  return z
    .string()
    .transform((text) => cleanText(text).trim())
    .superRefine((text, check) => {
      const count = countCodePoints(text)
      if (count >= least && count <= most) return
      const code = count < least ? 'too_short' : 'too_long'
      check.addIssue(issueFact(fact(code, { least, most, count })))
    })
}
