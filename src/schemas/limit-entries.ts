import { z } from 'zod'
import { fact } from '../core/facts/fact.ts'
import type { Unit } from '../core/facts/fields.ts'
import { factIssue } from './broken-rule.ts'

/**
 * Returns a record's schema that counts the entries before it reads any. A body full of wrong entries would otherwise
 * cost one issue each.
 */
export function limitEntries<Schema extends z.ZodType>(
  schema: Schema,
  { max, unit }: { max: number; unit: Unit },
): Schema {
  const counted = z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= max)
      return value
    context.addIssue({ ...factIssue(fact('too_big', { max, unit })), continue: false })
    return z.NEVER
  }, schema)
  return counted as unknown as Schema
}
