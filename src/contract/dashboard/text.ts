import { z } from 'zod'
import { cleanText, countCodePoints } from '../../rules/json-text.ts'

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
      check.addIssue({
        code: 'custom',
        params: { code: count < least ? 'too_short' : 'too_long' },
        message: `must have from ${least} to ${most} characters, not ${count}`,
      })
    })
}
