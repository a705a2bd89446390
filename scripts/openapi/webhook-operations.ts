import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import {
  CURRENT_API_VERSION,
  EVENT_SUMMARIES,
  EVENT_TYPES,
  type EventType,
} from '../../src/core/vocabulary/events.ts'
import { sampleData } from '../../src/modules/events/sample-events.ts'
import { dataSchemaName, schemaRef, type Json } from './component-schemas.ts'

const EXAMPLE_AT = new Date('2026-10-01T12:00:00.000Z')

/** Returns the operations that a merchant's server implements, by event type. Spec: Deliveries › Request. */
export function webhookOperations(): Record<EventType, Json> {
  const operations = EVENT_TYPES.map((type) => [type, { post: operation(type) }])
  return Object.fromEntries(operations) as Record<EventType, Json>
}

function operation(type: EventType): Json {
  const words = type.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1))
  return {
    operationId: `On${words.join('')}`,
    summary: EVENT_SUMMARIES[type],
    security: [],
    'x-service-plan': 'Business',
    'x-service-no-console': true,
    'x-service-max-bytes': DELIVERY_LIMITS.bodyBytes,
    parameters: [
      header('X-Service-Signature', 'Verify it against the raw bytes of the body.', {
        type: 'string',
        pattern: '^t=[0-9]+(,v1=[0-9a-f]{64}){1,2}$',
      }),
      header('X-Service-Event', 'The event type, to route the request before parsing it.', {
        type: 'string',
        const: type,
      }),
      header('X-Service-Delivery', 'The ID of this delivery. A resend has a new one.', {
        type: 'string',
        format: 'uuid',
      }),
      header('User-Agent', 'Always the same.', { type: 'string', const: 'Service-Webhooks/1.0' }),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              schemaRef('WebhookEnvelope'),
              {
                type: 'object',
                properties: { type: { const: type }, data: schemaRef(dataSchemaName(type)) },
              },
            ],
          },
          example: {
            id: 'evt_0199a0b1c2d3e4f5061728394a5b6c7d',
            type,
            apiVersion: CURRENT_API_VERSION,
            createdAt: EXAMPLE_AT.toISOString(),
            test: true,
            company: { id: '00000000-0000-4000-8000-000000000001', name: 'متجر المثال' },
            data: sampleData(type, EXAMPLE_AT),
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Delivered. Respond within 10 seconds and do the work afterwards.' },
      '410': { description: 'Gone. The endpoint is switched off immediately.' },
      default: {
        description: 'Failed. There are up to eight attempts. Redirects count as failures.',
      },
    },
  }
}

function header(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: true, description, schema }
}
