import type { Json } from './component-schemas.ts'

/**
 * The same document for tools that know OpenAPI 3.0 alone: without webhooks, and with schemas in the
 * words of 3.0 (`nullable`, one `type`, `enum` for `const`).
 */
export function toOpenApi30(document: Json): Json {
  const made = { ...document, openapi: '3.0.3' } as Json
  delete made.webhooks
  return inWordsOf30(made) as Json
}

function inWordsOf30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inWordsOf30)
  if (typeof value !== 'object' || value === null) return value
  const { type, anyOf, const: only, ...rest } = value as Json
  const made: Json = {}
  if (Array.isArray(type)) {
    const [first] = type.filter((one) => one !== 'null')
    Object.assign(made, { type: first as string, nullable: true })
  } else if (type === 'null') {
    Object.assign(made, { type: 'string', nullable: true, enum: [null] })
  } else if (type !== undefined) {
    made.type = inWordsOf30(type)
  }
  for (const [key, inner] of Object.entries(rest)) {
    // An example is a value and no schema.
    made[key] = key === 'example' || key === 'examples' ? inner : inWordsOf30(inner)
  }
  if (only !== undefined) made.enum = [only]
  if (Array.isArray(anyOf)) {
    const schemas = (anyOf as Json[]).filter((one) => one.type !== 'null')
    const isNullable = schemas.length < anyOf.length
    Object.assign(made, { allOf: schemas.map(inWordsOf30) }, isNullable && { nullable: true })
    if (schemas.length !== 1) throw new Error('3.0 has no words for this')
  }
  return made
}
