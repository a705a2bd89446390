import type { Json } from './component-schemas.ts'

/**
 * Converts the document for tools that support only OpenAPI 3.0: without webhooks, and with the schema keywords of
 * 3.0 (`nullable`, one `type`, `enum` for `const`).
 */
export function toOpenApi30(document: Json): Json {
  const made = { ...document, openapi: '3.0.3' } as Json
  delete made.webhooks
  const { schemas } = made.components as { schemas: Record<string, Json> }
  return convert(made, schemas) as Json
}

/** Converts a part of the document. `named` has the schemas that a reference may name. */
function convert(value: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one, named))
  if (typeof value !== 'object' || value === null) return value
  const { type, anyOf, const: only, ...rest } = value as Json
  const made: Json = {}
  if (Array.isArray(type)) {
    const [first] = type.filter((one) => one !== 'null')
    Object.assign(made, { type: first as string, nullable: true })
  } else if (type === 'null') {
    Object.assign(made, { type: 'string', nullable: true, enum: [null] })
  } else if (type !== undefined) {
    made.type = type
  }
  for (const [key, inner] of Object.entries(rest)) {
    // An example is a value and no schema.
    made[key] = key === 'example' || key === 'examples' ? inner : convert(inner, named)
  }
  if (only !== undefined) made.enum = [only]
  if (Array.isArray(anyOf)) {
    const schemas = (anyOf as Json[]).filter((one) => one.type !== 'null')
    const isNullable = schemas.length < anyOf.length
    const [single] = schemas
    if (single === undefined || schemas.length > 1)
      throw new Error('OpenAPI 3.0 cannot express this')
    // `nullable` counts only next to a type, which a reference does not have.
    if (isNullable) Object.assign(made, { type: typeOf(single, named), nullable: true })
    made.allOf = [convert(single, named)]
  }
  return made
}

function typeOf(schema: Json, named: Record<string, Json>): unknown {
  const target = String(schema.$ref).replace('#/components/schemas/', '')
  const { type } = schema.$ref === undefined ? schema : (named[target] ?? {})
  if (typeof type !== 'string') throw new Error('OpenAPI 3.0 needs one type beside nullable')
  return type
}
