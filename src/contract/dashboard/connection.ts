import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { breaksHeader, isAscii, validateKeyHeaderName } from '../../rules/calls/call-headers.ts'
import { headerRefusalFact } from '../../rules/calls/validate-call-request.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import type { CallFailure, ConnectionAuthKind } from '../../core/vocabulary/calls.ts'
import { failsWith, factIssue } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { List, Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const MAX_CREDENTIAL_CHARS = CALL_LIMITS.credentialChars

/** A secret is sent as typed, without surrounding white space. */
const secret = z
  .string()
  .transform((text) => text.trim())
  .superRefine((text, check) => {
    if (text === '') check.addIssue(factIssue(fact('missing')))
    if (countCodePoints(text) > MAX_CREDENTIAL_CHARS) {
      check.addIssue(factIssue(fact('secret_too_long', { max: MAX_CREDENTIAL_CHARS })))
    }
    if (hasControls(text)) check.addIssue(factIssue(fact('control_character')))
  })

/** A secret that is sent unchanged in a header. */
const headerSecret = secret.refine(isAscii, failsWith(fact('not_ascii')))

/** A password, which may be empty and may begin and end with spaces. */
const password = z
  .string()
  .refine((text) => !hasControls(text), failsWith(fact('control_character')))
const username = password.refine(
  (text) => text !== '' && !text.includes(':'),
  failsWith(fact('username_wrong')),
)

function hasControls(text: string): boolean {
  return breaksHeader(text) || text.includes('\t') || !text.isWellFormed()
}

const keyHeaderName = z
  .string()
  .max(CALL_LIMITS.keyNameChars)
  .superRefine((name, check) => {
    const refusal = validateKeyHeaderName(name)
    if (refusal === null) return
    check.addIssue(factIssue(headerRefusalFact(refusal)))
  })
const keyQueryName = formText(1, CALL_LIMITS.keyNameChars)

const basic = z
  .strictObject({ kind: z.literal('basic'), username, password })
  .refine((pair) => countCodePoints(`${pair.username}:${pair.password}`) <= MAX_CREDENTIAL_CHARS, {
    path: ['password'],
    ...failsWith(fact('pair_too_long', { max: MAX_CREDENTIAL_CHARS })),
  })

/** The authentication of a connection. Its credential is never shown again. */
const Auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), token: headerSecret }),
  basic,
  z.strictObject({ kind: z.literal('header'), name: keyHeaderName, key: headerSecret }),
  z.strictObject({ kind: z.literal('query'), name: keyQueryName, key: secret }),
])
export type ConnectionAuth = z.output<typeof Auth>

const name = formText(1, CALL_LIMITS.nameChars)
/** A base URL by the rules of `readConnectionBaseUrl`; the module also resolves its host. */
const baseUrl = z.string().max(CALL_LIMITS.baseUrlChars * 4)
/** The default headers. `validateHeaders` has the rules of their names and values. */
const headers = z
  .array(
    z.strictObject({
      name: z.string().max(CALL_LIMITS.keyNameChars),
      value: formText(0, CALL_LIMITS.headerValueChars),
    }),
  )
  .max(CALL_LIMITS.defaultHeaders)
const timeoutSeconds = z
  .number()
  .int()
  .min(CALL_LIMITS.timeoutMinMs / SECOND_MS)
  .max(CALL_LIMITS.timeoutMaxMs / SECOND_MS)

export const CreateConnection = z.strictObject({
  name,
  baseUrl,
  auth: Auth.default({ kind: 'none' }),
  headers: headers.default([]),
  timeoutSeconds: timeoutSeconds.default(CALL_LIMITS.timeoutDefaultMs / SECOND_MS),
  isOn: z.boolean().default(true),
})
export type CreateConnection = z.output<typeof CreateConnection>

/**
 * The fields to change. The credential stays if `auth` is left out and the base URL keeps its origin. `updatedAt`
 * guards against overwriting another member's change.
 */
export const EditConnection = z.strictObject({
  name: name.optional(),
  baseUrl: baseUrl.optional(),
  auth: Auth.optional(),
  headers: headers.optional(),
  timeoutSeconds: timeoutSeconds.optional(),
  updatedAt: z.iso.datetime().optional(),
})
export type EditConnection = z.output<typeof EditConnection>

/** The path of the GET that a test makes. */
export const TestConnection = z.strictObject({
  path: z.string().max(CALL_LIMITS.pathAndQueryChars).default('/'),
})
export type TestConnection = z.output<typeof TestConnection>

export type ConnectionView = {
  id: string
  name: string
  baseUrl: string
  auth: {
    kind: ConnectionAuthKind
    /** The name of the header or query parameter with the key. */
    name: string | null
    /** The last characters of the credential, to distinguish credentials; null if it is short or missing. */
    lastFour: string | null
  }
  headers: { name: string; value: string }[]
  timeoutSeconds: number
  isOn: boolean
  createdAt: string
  updatedAt: string
}

/** The flows and actions that call through a connection. It cannot be deleted while there are any. */
export type ConnectionUsers = {
  connectionId: string
  /** Flows with a step that calls through the connection, in the draft or in the published version. */
  flows: { id: string; name: string; isPublished: boolean }[]
  actions: { id: string; toolName: string; isOn: boolean }[]
}

/**
 * Figures of the last 24 hours: calls of flows and of the assistant. A call counts once, regardless of its attempts.
 * Tests do not count.
 */
export type ConnectionFigures = {
  connectionId: string
  calls: number
  failed: number
  /** The 95th percentile of request durations, failures and retries included; null without requests. */
  p95Ms: number | null
}

/** A request as it was sent. */
export type SentRequest = {
  method: string
  url: string
  headers: { name: string; value: string }[]
  body: string | null
  /** A credential was sent with the request. The view shows a mask in its place. */
  isCredentialSent: boolean
}

/** The result of a real request. A mask replaces the credential everywhere. */
export type TestedConnection = {
  outcome: 'success' | 'failed'
  httpStatus: number | null
  failure: CallFailure | null
  /** A description of what happened and what to check. */
  detail: LocalizedFact | null
  sent: SentRequest | null
  /** The answer as text, truncated. */
  answer: string | null
  /** Length of the whole answer. */
  answerChars: number | null
  attempts: number
  durationMs: number
}

export interface ConnectionRoutes {
  '/companies/:companyId/connections': {
    get: Route<Page<ConnectionView>, { query: typeof PageQuery }>
    post: Route<ConnectionView, { json: typeof CreateConnection }>
  }
  '/companies/:companyId/connection-users': { get: Route<List<ConnectionUsers>> }
  '/companies/:companyId/connection-figures': { get: Route<List<ConnectionFigures>> }
  '/companies/:companyId/connections/:connectionId': {
    get: Route<ConnectionView>
    patch: Route<ConnectionView, { json: typeof EditConnection }>
    delete: Route<null>
  }
  '/companies/:companyId/connections/:connectionId/switch-on': { post: Route<ConnectionView> }
  '/companies/:companyId/connections/:connectionId/switch-off': { post: Route<ConnectionView> }
  '/companies/:companyId/connections/:connectionId/test': {
    post: Route<TestedConnection, { json: typeof TestConnection }>
  }
}
