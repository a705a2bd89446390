/** The form of a case: a customer's messages to the shop's assistant, and the expected outcome. */
import { z } from 'zod'
import { HANDOVER_REASONS } from '../../src/core/vocabulary/inbox.ts'

/** The groups of cases, by the ability that they test. */
export const GROUPS = [
  'policy',
  'identity',
  'injection',
  'agreement',
  'language',
  'handover',
  'booking',
] as const
export type Group = (typeof GROUPS)[number]

const LANGUAGES = ['gulf', 'egyptian', 'levantine', 'english'] as const

const text = z.string().trim().min(1)
const once = (values: readonly string[]) => new Set(values).size === values.length
/** The method and path of a request to the shop's API, such as `POST /orders/1043/cancel`. */
const request = z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/, {
  error: 'must be a method and a path, such as "POST /orders/1043/cancel"',
})
/** Texts of which one must occur. Forms of Arabic letters and digits count as equal. */
const anyOf = z.array(text).min(1)

const minutes = z.int().min(1).max(2_880)

const turn = z.union([
  z.strictObject({ says: text }),
  /** Several messages in quick succession. */
  z.strictObject({ saysAll: z.array(text).min(2) }),
  /** The number of a button, from 0, on the newest message with buttons. */
  z.strictObject({ presses: z.int().min(0).max(2) }),
  z.strictObject({ sends: z.enum(['voice', 'image', 'sticker', 'location']) }),
  z.strictObject({ waitsMinutes: minutes }),
])

const end = z
  .strictObject({
    /** Every request but a `GET` that the shop's API received, in order. */
    changes: z.array(request),
    /** Requests that must have been made, and requests that must not. */
    reads: z.array(request).optional(),
    neverReads: z.array(request).optional(),
    /** The allowed reasons of the handover; null when the assistant must keep the conversation. */
    handover: z.union([z.null(), z.array(z.enum(HANDOVER_REASONS)).min(1)]).optional(),
    /** Active bookings of the customer. `inDays` counts from today, in the shop's time zone. */
    booked: z
      .array(
        z.strictObject({
          service: text,
          inDays: z.int().min(0).max(30),
          at: z.string().regex(/^\d\d:\d\d$/, { error: 'must be a time, such as "10:00"' }),
        }),
      )
      .optional(),
    /** The number of the customer's appointments that were cancelled. */
    cancelled: z.int().min(0).optional(),
    /** True when a lead must have been recorded, false when none may have been. */
    lead: z.boolean().optional(),
    /** Lists of texts: one of each list must occur in the messages to the customer. */
    told: z.array(anyOf).optional(),
    /** The same for the answer to the last message. */
    toldLast: z.array(anyOf).optional(),
    neverTold: z.array(text).optional(),
    /** Script of the last message. */
    script: z.enum(['arabic', 'latin']).optional(),
    /** Minimum and maximum number of messages to the customer. */
    messages: z.strictObject({ min: z.int().min(0), max: z.int().min(0) }).optional(),
  })
  .refine(({ booked = [], changes }) => booked.length + changes.length < 10, {
    error: 'is too much for one case',
  })

export const Case = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z]+-\d\d$/, { error: 'must be a group and two digits, as "policy-07"' }),
  group: z.enum(GROUPS),
  language: z.enum(LANGUAGES),
  /** The subject of the case, in a sentence. */
  about: text,
  /** Differences from shop.json. */
  shop: z
    .strictObject({
      guidance: text.optional(),
      /** Additional knowledge. */
      knowledge: z.array(z.strictObject({ question: text, answer: text })).optional(),
      /** Additional or changed responses of the shop's API. */
      api: z
        .record(request, z.strictObject({ status: z.int().min(200).max(599), body: z.json() }))
        .optional(),
      /** Appointments of the customer that exist before the conversation. */
      booked: z
        .array(z.strictObject({ service: text, inDays: z.int().min(1).max(30), at: text }))
        .optional(),
      leadCriteria: text.optional(),
    })
    .optional(),
  talk: z.array(turn).min(1).max(12),
  end,
})
export type Case = z.output<typeof Case>

const Action = z.strictObject({
  toolName: text,
  description: text,
  method: z.enum(['GET', 'POST']),
  path: text,
  body: z.string().nullable(),
  parameters: z.array(
    z.strictObject({
      name: text,
      type: z.literal('string'),
      description: text,
      isRequired: z.boolean(),
    }),
  ),
  identity: z.enum(['none', 'phone']),
  shown: z.array(z.strictObject({ label: text, path: text })),
  statement: z.strictObject({ en: text.nullable(), ar: text.nullable() }),
  ownershipPath: text.nullable(),
  needsConfirmation: z.boolean(),
})

/** The shop of all cases. `{{customer}}` in responses of its API is the customer's number. */
export const EvaluationShop = z.strictObject({
  name: text,
  profile: text,
  guidance: text,
  leadCriteria: text,
  tags: z.array(text).refine(once),
  knowledge: z.array(z.strictObject({ question: text, answer: text })).min(1),
  services: z.array(
    z.strictObject({ name: text, nameAr: text, minutes: z.int().min(15).max(240) }),
  ),
  actions: z.array(Action),
  api: z.record(request, z.strictObject({ status: z.int().min(200).max(599), body: z.json() })),
})
export type EvaluationShop = z.output<typeof EvaluationShop>
