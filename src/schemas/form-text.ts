import { z } from 'zod'
import { fact } from '../core/facts/fact.ts'
import { cleanText, countCodePoints } from '../rules/text/json-text.ts'
import { factIssue } from './broken-rule.ts'

/**
 * Returns the schema of a text that a person types into a form. It trims white space, replaces what PostgreSQL cannot
 * store, and counts code points, from `min` to `max`.
 */
export function formText(min: number, max: number) {
  return z
    .string()
    .transform((text) => cleanText(text).trim())
    .superRefine((text, check) => {
      const count = countCodePoints(text)
      if (count >= min && count <= max) return
      const code = count < min ? 'too_short' : 'too_long'
      check.addIssue(factIssue(fact(code, { min, max, count })))
    })
}
