/**
 * Checks that a body is exactly what the contract says: it has no additional field, lacks none, and each has
 * its type.
 */
import { z } from 'zod'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import type { EventType } from '../../src/core/vocabulary/events.ts'

/** Returns what is wrong with a body, a line each; an empty list when it is exact. */
export function faultsOfBody(body: unknown): string[] {
  const envelope = WebhookEnvelope.safeParse(body)
  if (!envelope.success)
    return envelope.error.issues.map(({ path, message }) => lineOf(path, message))
  const schema = EVENT_DATA[envelope.data.type as EventType]
  const data = schema.safeParse(envelope.data.data)
  const wrong = data.success ? [] : data.error.issues
  return [
    ...wrong.map(({ path, message }) => lineOf(['data', ...path], message)),
    ...namesOff(WebhookEnvelope.omit({ data: true }), { ...envelope.data, data: undefined }, [
      'data',
    ]),
    ...namesOff(schema, envelope.data.data).map((line) => `data.${line}`),
  ]
}

const lineOf = (path: readonly PropertyKey[], message: string): string =>
  `${path.map(String).join('.')}: ${message}`

/** Returns the names that a schema has and a value lacks, or the reverse. */
function namesOff(schema: z.ZodType, value: unknown, but: readonly string[] = []): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return value === null ? [] : namesOff(schema.unwrap() as z.ZodType, value)
  }
  if (schema instanceof z.ZodArray) {
    return (value as unknown[]).flatMap((one) => namesOff(schema.element as z.ZodType, one))
  }
  if (!(schema instanceof z.ZodObject)) return []
  const shape = schema.shape as Record<string, z.ZodType>
  const names = Object.keys(value as object)
  return [
    ...names
      .filter((name) => !(name in shape) && !but.includes(name))
      .map((name) => `${name}: more`),
    ...Object.keys(shape).flatMap((name) =>
      names.includes(name)
        ? namesOff(shape[name]!, (value as Record<string, unknown>)[name]).map(
            (line) => `${name}.${line}`,
          )
        : [`${name}: less`],
    ),
  ]
}
