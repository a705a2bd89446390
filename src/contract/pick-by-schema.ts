/** A function that copies a value with only the fields that a schema names. */
import { z } from 'zod'

type Pick = (value: unknown) => unknown

/** Returns a function that builds a value of a schema field by field. Fields keep their order. */
export function pickerOf(schema: z.ZodType): Pick {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const pick = pickerOf(schema.unwrap() as z.ZodType)
    return (value) => (value === null || value === undefined ? value : pick(value))
  }
  if (schema instanceof z.ZodArray) {
    const pick = pickerOf(schema.element as z.ZodType)
    return (value) => (value as unknown[]).map(pick)
  }
  if (schema instanceof z.ZodObject) return pickerOfObject(schema)
  return (value) => value
}

function pickerOfObject(schema: z.ZodObject): Pick {
  const fields = new Map(
    Object.entries(schema.shape).map(([name, field]) => [name, pickerOf(field as z.ZodType)]),
  )
  // A loop without intermediate lists: every event of a hook's batch goes through it.
  return (value) => {
    const given = value as Record<string, unknown>
    const picked: Record<string, unknown> = {}
    for (const name of Object.keys(given)) {
      const pick = fields.get(name)
      if (pick) picked[name] = pick(given[name])
    }
    return picked
  }
}
