import type { Json } from './component-schemas.ts'

/**
 * Converts the document for tools that support only OpenAPI 3.0: without webhooks, and with the schema keywords of
 * 3.0 (`nullable`, one `type`, `enum` for `const`).
 */
export function toOpenApi30(document: Json): Json {
  const made = { ...document, openapi: '3.0.3' } as Json
  delete made.webhooks
  const { schemas } = made.components as { schemas: Record<string, Json> }
  return inWordsOf30(made, schemas) as Json
}

/** @param named the schemas that a reference may lead to. */
function inWordsOf30(value: unknown, named: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((one) => inWordsOf30(one, named))
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
    made[key] = key === 'example' || key === 'examples' ? inner : inWordsOf30(inner, named)
  }
  if (only !== undefined) made.enum = [only]
  if (Array.isArray(anyOf)) {
    const schemas = (anyOf as Json[]).filter((one) => one.type !== 'null')
    const isNullable = schemas.length < anyOf.length
    const [single] = schemas
    if (single === undefined || schemas.length > 1) throw new Error('3.0 has no words for this')
    // `nullable` counts only next to a type, which a reference does not have.
    if (isNullable) Object.assign(made, { type: typeOf(single, named), nullable: true })
    made.allOf = [inWordsOf30(single, named)]
  }
  return made
}

function typeOf(schema: Json, named: Record<string, Json>): unknown {
  const target = String(schema.$ref).replace('#/components/schemas/', '')
  const { type } = schema.$ref === undefined ? schema : (named[target] ?? {})
  if (typeof type !== 'string') throw new Error('3.0 needs one type beside nullable')
  return type
}
