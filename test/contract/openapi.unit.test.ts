/** The files of openapi/ are generated from the contract, and are valid documents. Spec: Versioning › OpenAPI. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CHANNEL_TYPES } from '../../src/core/vocabulary/channels.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { HOOK_STATUS_HTTP, HOOK_STATUSES } from '../../src/core/vocabulary/hooks.ts'

const PROJECT = path.join(import.meta.dirname, '../..')
type Json = Record<string, unknown>
type Media = { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }
type Operation = Json & {
  operationId: string
  security: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}
type Document = {
  openapi: string
  info: { version: string }
  paths: Record<string, { post: Operation }>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json>; securitySchemes: Json }
}
const load = (name: string) =>
  JSON.parse(readFileSync(path.join(PROJECT, 'openapi', name), 'utf8')) as Document
const document = load('webhooks.json')
const derived = load('webhooks-3.0.json')
const hook = document.paths['/hooks/{token}']!.post

/** Yields each value in a document with its JSON pointer. */
function* walk(value: unknown, place = '#'): Generator<[string, unknown]> {
  yield [place, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${place}/${key}`)
}

/** Returns a validator of a schema of the document, by its JSON Schema alone. */
function validator(schema: Json) {
  const whole = { ...schema, $defs: document.components.schemas }
  const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')
  const read = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0])
  return (value: unknown) => read.safeParse(value).success
}

test('the files are those that the contract generates', () => {
  const script = path.join(PROJECT, 'scripts/generate-openapi.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('out of date')])
})

const BOTH = [
  { name: 'webhooks.json', whole: document },
  { name: 'webhooks-3.0.json', whole: derived },
]
describe.for(BOTH)('$name', ({ whole }) => {
  test('every reference leads to a schema, and every operation has its own id', () => {
    const refs = [...walk(whole)].filter(([place]) => place.endsWith('/$ref'))
    expect(refs.length).toBeGreaterThan(10)
    for (const [place, ref] of refs) {
      const name = String(ref).replace('#/components/schemas/', '')
      expect([place, name in whole.components.schemas]).toEqual([place, true])
    }
    const ids = [...walk(whole)].filter(([place]) => place.endsWith('/operationId'))
    expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length)
  })

  test('no object is closed, so fields may be added', () => {
    const closed = [...walk(whole.components.schemas)].filter(
      ([place, value]) => place.endsWith('/additionalProperties') && value === false,
    )
    expect(closed).toEqual([])
  })

  test('every required field is described', () => {
    for (const [place, value] of walk(whole.components.schemas)) {
      const { required, properties } = (value ?? {}) as { required?: unknown; properties?: Json }
      if (!Array.isArray(required)) continue
      expect([place, Object.keys(properties!)]).toEqual([place, expect.arrayContaining(required)])
    }
  })

  const { schema } = whole.paths['/hooks/{token}']!.post.requestBody.content['application/json']!
  test('the body of a hook may have any fields', () => {
    expect((schema.oneOf as Json[])[0]).toEqual({ type: 'object', additionalProperties: true })
  })

  test('an object without named fields allows any, for programs that generate types', () => {
    for (const [place, value] of walk(whole)) {
      const { type, properties = {}, allOf, additionalProperties } = (value ?? {}) as Json
      const hasFields = Object.keys(properties as Json).length > 0
      if (type !== 'object' || hasFields || allOf !== undefined) continue
      expect([place, additionalProperties]).toEqual([place, expect.anything()])
    }
  })
})

describe('OpenAPI 3.1', () => {
  test('is version 1.0, with a bearer scheme that no operation uses', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0'])
    expect(Object.values(document.components.securitySchemes)).toMatchObject([
      { type: 'http', scheme: 'bearer' },
    ])
    for (const { post } of Object.values(document.webhooks!)) expect(post.security).toEqual([])
    expect(hook.security).toEqual([])
  })

  test('StartFlowFromHook has its token, key, plan, console flag and largest body', () => {
    expect(hook).toMatchObject({
      operationId: 'StartFlowFromHook',
      'x-service-plan': 'Business',
      'x-service-no-console': true,
      'x-service-max-bytes': 65_536,
    })
    expect(hook.parameters).toMatchObject([
      { name: 'token', required: true, schema: { pattern: '^hook_[A-Za-z0-9_-]{37,95}$' } },
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { maxLength: 200 } },
    ])
  })

  test('every status of a hook is an example under its HTTP status; 429 has plain text too', () => {
    for (const status of HOOK_STATUSES) {
      const { content } = hook.responses[HOOK_STATUS_HTTP[status]]!
      const { schema, examples } = content!['application/json']!
      const example = examples![status]!.value
      expect([status, validator(schema)(example)]).toEqual([status, true])
      expect(example).toMatchObject({ status })
    }
    expect(Object.keys(hook.responses['429']!.content!)).toEqual(['application/json', 'text/plain'])
    expect(Object.keys(hook.responses['400']!.content!)).toEqual(['application/json'])
  })

  test('extensible enums list the values known today', () => {
    const { schemas } = document.components
    const known = (name: string, field: string) =>
      (schemas[name]!.properties as Record<string, Json>)[field]!['x-extensible-enum']
    expect(known('HookResponse', 'status')).toEqual(HOOK_STATUSES)
    expect(known('WebhookEnvelope', 'type')).toEqual(EVENT_TYPES)
    expect(known('ConversationSummary', 'channelType')).toEqual(CHANNEL_TYPES)
    expect(known('HandoverData', 'reason')).toHaveLength(8)
  })

  test('a problem has all its fields', () => {
    const problem = {
      type: 'https://wasla.example.com/errors#not_available',
      title: 'Not available',
      status: 404,
      detail: null,
      code: 'not_available',
      requestId: 'r',
      errors: [{ field: 'template.parameters.body[1]', code: 'too_long', message: 'Too long.' }],
    }
    const isProblem = validator({ $ref: '#/components/schemas/Problem' })
    expect(isProblem(problem)).toBe(true)
    for (const name of Object.keys(problem)) {
      expect([name, isProblem({ ...problem, [name]: undefined })]).toEqual([name, false])
    }
  })
})

describe.for(EVENT_TYPES)('the webhook %s', (type) => {
  const { post } = document.webhooks![type]!
  const { schema, example } = post.requestBody.content['application/json']!
  const isValid = validator(schema)

  test('has its headers and extensions', () => {
    const names = post.parameters.map(({ name }) => name).join()
    expect(names).toBe('X-Service-Signature,X-Service-Event,X-Service-Delivery,User-Agent')
    expect(post.parameters[1]!.schema).toMatchObject({ const: type })
    expect(post).toMatchObject({ 'x-service-plan': 'Business', 'x-service-no-console': true })
  })

  test('its example is valid, and is invalid without a field or with another type', () => {
    expect(isValid(example)).toBe(true)
    expect(isValid({ ...(example as Json), added: 1 })).toBe(true)
    expect(isValid({ ...(example as Json), type: 'another' })).toBe(false)
    const places = [...walk(example)].map(([place]) => place.slice(2)).filter(Boolean)
    const ownNames = /^data\/(run\/variables|contact\/(fields|tags))\//
    for (const place of places.filter((one) => !ownNames.test(one))) {
      const copy = structuredClone(example) as Json
      const names = place.split('/')
      const holder = names.slice(0, -1).reduce((at, name) => at[name] as Json, copy)
      delete holder[names.at(-1)!]
      expect([place, isValid(copy)]).toEqual([place, false])
    }
  })
})

describe('the derived OpenAPI 3.0', () => {
  test('omits the webhooks and keeps the hook and every schema', () => {
    expect(derived.openapi).toMatch(/^3\.0\.\d$/)
    expect(derived).not.toHaveProperty('webhooks')
    expect(derived.paths['/hooks/{token}']!.post.operationId).toBe('StartFlowFromHook')
    const schemasOf = ({ components }: Document) => Object.keys(components.schemas)
    expect(schemasOf(derived)).toEqual(schemasOf(document))
  })

  test('uses no keyword that 3.0 does not know', () => {
    for (const [place, value] of walk(derived.components.schemas)) {
      const isProperty = /\/properties\/[^/]+$/.test(place)
      if (!isProperty && place.endsWith('/type'))
        expect([place, typeof value]).toEqual([place, 'string'])
      if (!isProperty) expect(place).not.toMatch(/\/(const|anyOf|\$defs|patternProperties)$/)
      expect(value).not.toBe('null')
    }
  })

  test('has a type wherever it has nullable', () => {
    const nullable = [...walk(derived)].filter(
      ([, value]) => (value as Json | null)?.nullable === true,
    )
    expect(nullable.length).toBeGreaterThan(10)
    for (const [place, value] of nullable) {
      expect([place, typeof (value as Json).type]).toEqual([place, 'string'])
    }
    const { contact } = derived.components.schemas.MessageReceivedData!.properties as Json
    expect(contact).toMatchObject({ type: 'object', nullable: true })
  })
})
