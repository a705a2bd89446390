import type { z } from 'zod'
import { fieldErrors } from '../contract/field-errors.ts'
import { wrongFields } from '../core/service-error.ts'

/** Parses a value by a schema. @throws invalid, which names the fields */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw wrongFields(fieldErrors(parsed.error.issues))
}
