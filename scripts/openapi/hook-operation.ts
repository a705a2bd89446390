import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { HOOK_STATUS_HTTP, type HookStatus } from '../../src/core/vocabulary/hooks.ts'
import { schemaRef, type Json } from './component-schemas.ts'

const RUN = '019aa4c2-7d1e-7b7a-9c55-1f2f0a6f3a10'
const DESCRIPTIONS: Record<number, string> = {
  200: 'This key already started a run. Treat it as success.',
  202: 'The run is queued. Nothing has been sent yet.',
  400: 'The body is not JSON, or the idempotency key is too long. Do not retry.',
  403: 'The plan does not include this. Do not retry.',
  404: 'No hook has this token. Do not retry.',
  405: 'Only POST starts a flow.',
  409: 'The flow is off, its number is not connected, or the customer has opted out.',
  410: 'The account has moved to another server. Do not retry here.',
  413: `The body is larger than ${HOOK_LIMITS.bodyBytes} bytes. Do not retry.`,
  415: 'The body was not sent as JSON. Do not retry.',
  422: 'No valid phone number was found. Do not retry.',
  429: 'Too many requests or messages. Retry later with the same key. The limit per IP address returns plain text.',
  503: 'Hooks are paused, or the request could not be counted. Retry after about a minute with the same key.',
}

/**
 * Returns the description of the request to a hook URL, as an OpenAPI operation.
 *
 * Spec: Hooks › Request; Errors › Hook statuses.
 */
export function hookOperation(): Json {
  return {
    operationId: 'StartFlowFromHook',
    summary: 'Start an automation flow',
    description:
      'Call this from your server only. The token is the credential: anyone who has the URL can start the flow.',
    security: [],
    'x-service-plan': 'Business',
    'x-service-no-console': true,
    'x-service-max-bytes': HOOK_LIMITS.bodyBytes,
    parameters: [
      {
        name: 'token',
        in: 'path',
        required: true,
        description: 'Shown once, when the URL is created or replaced.',
        schema: { type: 'string', pattern: '^hook_[A-Za-z0-9_-]{37,95}$' },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Your own ID for the event. Requests with the same key start one run.',
        schema: { type: 'string', maxLength: HOOK_LIMITS.idempotencyKeyChars },
      },
    ],
    requestBody: {
      required: true,
      description: 'Any JSON object or array. The trigger maps the fields to read.',
      content: {
        'application/json': {
          schema: {
            // Stated explicitly, because some generators make an empty type of an object without fields.
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
          : { id: null, status, detail: 'For people; may change.' },
    },
  ])
  const json = { schema: schemaRef('HookResponse'), examples: Object.fromEntries(examples) as Json }
  const text = { schema: { type: 'string' }, example: 'Too many requests' }
  return {
    description: DESCRIPTIONS[http],
    content: { 'application/json': json, ...(http === 429 && { 'text/plain': text }) },
  }
}
