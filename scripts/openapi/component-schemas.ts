import { z } from 'zod'
import { HookResponse } from '../../src/contract/hook-response.ts'
import * as webhookData from '../../src/contract/webhook-data.ts'
import { WebhookEnvelope } from '../../src/contract/webhook-envelope.ts'
import type { EventType } from '../../src/core/vocabulary/events.ts'
import { PROBLEM_CODES } from '../../src/core/vocabulary/problems.ts'

/** A JSON object. */
export type Json = Record<string, unknown>

const NAMED: Record<string, z.ZodType> = {
  HookResponse,
  WebhookEnvelope,
  ...Object.fromEntries(
    Object.entries(webhookData).flatMap(([name, value]) =>
      value instanceof z.ZodObject ? [[name, value]] : [],
    ),
  ),
}

/** Returns a JSON reference to a named schema of the document. */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns the name of the schema of an event type's `data`. */
export function dataSchemaName(type: EventType): string {
  const found = Object.entries(NAMED).find(([, schema]) => schema === webhookData.EVENT_DATA[type])
  if (!found) throw new Error(`the data of ${type} has no name`)
  return found[0]
}

/** Returns every schema of the public API by its name, as JSON Schema 2020-12, from the contract. */
export function componentSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => schemaRef(id).$ref,
    override: ({ jsonSchema }) => tidy(jsonSchema as Json),
  })
  for (const schema of Object.values(schemas)) {
    delete schema.$schema
    delete schema.$id
  }
  return { ...(schemas as Record<string, Json>), Problem, ProblemError }
}

/**
 * Removes details of zod's output in place. Fields may be added later, so no object is closed. An object without
 * known fields allows any, because generators would make an empty type of it.
 */
function tidy(schema: Json): void {
  const more = schema.additionalProperties
  if (more === false || (typeof more === 'object' && Object.keys(more!).length === 0)) {
    delete schema.additionalProperties
  }
  const fields = schema.properties
  if (typeof fields === 'object' && Object.keys(fields!).length === 0) {
    delete schema.properties
    schema.additionalProperties = true
  }
  delete schema.propertyNames
  const [first, second, ...others] = (schema.anyOf ?? []) as Json[]
  if (second?.type === 'null' && others.length === 0 && typeof first!.type === 'string') {
    delete schema.anyOf
    const { description, ...type } = first!
    Object.assign(schema, type, { type: [first!.type, 'null'] })
    if (first!.enum) schema.enum = [...(first!.enum as string[]), null]
    if (description !== undefined) schema.description ??= description
  }
  if (schema.format === 'date-time') delete schema.pattern
}

const ProblemError: Json = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', description: 'A dot path such as `template.parameters.body[1]`.' },
    code: { type: 'string' },
    message: { type: 'string' },
  },
}

/** Spec: Errors › Problems. */
const Problem: Json = {
  type: 'object',
  description: 'RFC 9457. Branch on `code`, never on `title` or `detail`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer', format: 'int32' },
    detail: { type: ['string', 'null'] },
    code: { type: 'string', enum: [...PROBLEM_CODES] },
    requestId: { type: 'string' },
    errors: { type: ['array', 'null'], items: schemaRef('ProblemError') },
  },
}
