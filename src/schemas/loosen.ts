/** A schema of incomplete input: every value has its type, but need not follow the rules. */
import { z } from 'zod'

type Check = z.core.$ZodCheck

/**
 * Returns a schema without its rules about empty values, formats and ranges, for drafts. Types, choices and maximum
 * sizes stay, and so do transformations. A number may be null.
 */
export function loosen<Schema extends z.ZodType>(schema: Schema): Schema {
  return loose(schema) as unknown as Schema
}

function loose(schema: z.core.$ZodType): z.ZodType {
  const { _zod: zod } = schema as z.core.$ZodTypes
  const { def } = zod
  if (def.type === 'string') return z.string().check(...keptOf<string>(def.checks))
  if (def.type === 'number') return z.number().nullable()
  if (def.type === 'array') {
    return z.array(loose(def.element)).check(...keptOf<unknown[]>(def.checks))
  }
  if (def.type === 'object') {
    const shape = Object.entries(def.shape).map(([key, value]) => [key, loose(value)])
    const known = z.object(Object.fromEntries(shape) as z.ZodRawShape)
    return def.catchall ? known.catchall(def.catchall as z.ZodType) : known
  }
  if (def.type === 'union') {
    const options = def.options.map(loose) as [z.ZodObject, ...z.ZodObject[]]
    return 'discriminator' in def
      ? z.discriminatedUnion(def.discriminator as string, options)
      : z.union(options)
  }
  if (def.type === 'record') return z.record(def.keyType as z.ZodString, loose(def.valueType))
  if (def.type === 'optional') return loose(def.innerType).optional()
  if (def.type === 'nullable') return loose(def.innerType).nullable()
  if (def.type === 'default') return loose(def.innerType).default(def.defaultValue)
  return schema as z.ZodType
}

/** Returns the rules that stay. */
function keptOf<Value>(checks: readonly Check[] = []): z.core.$ZodCheck<Value>[] {
  const kept = checks.filter(({ _zod: { def } }) => ['max_length', 'overwrite'].includes(def.check))
  return kept as z.core.$ZodCheck<Value>[]
}
