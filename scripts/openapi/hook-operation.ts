import { HOOK_LIMITS } from '../../src/limits/hooks.ts'
import { HOOK_STATUS_HTTP, type HookStatus } from '../../src/vocabulary/hooks.ts'
import { schemaRef, type Json } from './component-schemas.ts'

const RUN = '019aa4c2-7d1e-7b7a-9c55-1f2f0a6f3a10'
const WORDS: Record<number, string> = {
  200: 'The key started a run already: treat it as success.',
  202: 'The flow is queued; nothing has been sent yet.',
  400: 'The body is not JSON, or the key is too long. Do not retry.',
  403: 'The plan lacks what is needed. Do not retry.',
  404: 'No hook has this token. Do not retry.',
  405: 'Only POST starts a flow.',
  409: 'The flow, its number or the customer cannot be used.',
  413: `The body is over ${HOOK_LIMITS.bodyBytes} bytes. Do not retry.`,
  415: 'The body was not sent as JSON. Do not retry.',
  422: 'No phone number could be read. Do not retry.',
  429: 'Too many requests or messages: retry later with the same key. From one address, plain text.',
  503: 'Hooks are paused, or could not be counted: retry after about a minute with the same key.',
}

/** Spec: Hooks › Request; Errors › Hook statuses. */
export function hookOperation(): Json {
  return {
    operationId: 'StartFlowFromHook',
    summary: 'Start an automation flow',
    description:
      'From your server only. The token is the credential: whoever has the URL can start the flow.',
    security: [],
    'x-service-plan': 'Business',
    'x-service-no-console': true,
    'x-service-max-bytes': HOOK_LIMITS.bodyBytes,
    parameters: [
      {
        name: 'token',
        in: 'path',
        required: true,
        description: 'Shown once, when the URL is made or replaced.',
        schema: { type: 'string', pattern: '^hook_[A-Za-z0-9_-]{37,95}$' },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Your own id for the event: however often it is sent, one run starts.',
        schema: { type: 'string', maxLength: HOOK_LIMITS.idempotencyKeyChars },
      },
    ],
    requestBody: {
      required: true,
      description: 'Any JSON. The settings of the trigger say what is read from where.',
      content: {
        'application/json': {
          schema: {
            // Said aloud, because some programs make an empty type of an object without fields.
            oneOf: [
              { type: 'object', additionalProperties: true },
              { type: 'array', items: {} },
            ],
          },
          example: {
            customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
            order: { number: '1043' },
          },
        },
      },
    },
    responses: Object.fromEntries(
      [...new Set(Object.values(HOOK_STATUS_HTTP))]
        .toSorted((a, b) => a - b)
        .map((http) => [String(http), answer(http)]),
    ),
  }
}

function answer(http: number): Json {
  const statuses = (Object.keys(HOOK_STATUS_HTTP) as HookStatus[]).filter(
    (status) => HOOK_STATUS_HTTP[status] === http,
  )
  const examples = statuses.map((status) => [
    status,
    {
      value:
        http < 300
          ? { id: RUN, status, detail: null }
          : { id: null, status, detail: 'For people to read; may change.' },
    },
  ])
  const json = { schema: schemaRef('HookResponse'), examples: Object.fromEntries(examples) as Json }
  const text = { schema: { type: 'string' }, example: 'Too many requests' }
  return {
    description: WORDS[http],
    content: { 'application/json': json, ...(http === 429 && { 'text/plain': text }) },
  }
}
