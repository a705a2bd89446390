/**
 * The request that a flow's step or an AI action sends through an API connection. A draft may be incomplete, so only
 * its form is checked here; `rules/calls/validate-call-request` checks the rules.
 */
import { z } from 'zod'
import { CALL_LIMITS } from '../core/limits/calls.ts'
import { CALL_METHODS } from '../core/vocabulary/calls.ts'
import { valuePath, variableName } from './flow-names.ts'
import { uuidInput } from './uuid-input.ts'

const named = (maxChars: number) =>
  z.strictObject({
    name: z.string().max(CALL_LIMITS.partNameChars),
    value: z.string().max(maxChars),
  })

/** A request with placeholders: its connection, method, path, query, headers and body. */
export const CallRequest = z.strictObject({
  connectionId: uuidInput,
  method: z.enum(CALL_METHODS),
  /** The path after the connection's base URL; may contain placeholders. */
  path: z.string().max(CALL_LIMITS.templateChars),
  query: z.array(named(CALL_LIMITS.templateChars)).max(CALL_LIMITS.queryParameters),
  headers: z.array(named(CALL_LIMITS.templateChars)).max(CALL_LIMITS.headers),
  /** JSON text with placeholders inside quotes; null or an empty text is none. */
  body: z.string().max(CALL_LIMITS.bodyBytes).nullable(),
})
export type CallRequest = z.infer<typeof CallRequest>

/** Values of a JSON answer that are stored as variables, by path. */
export const KeptValues = z
  .array(
    z.strictObject({
      name: variableName,
      path: valuePath,
    }),
  )
  .max(CALL_LIMITS.keptValues)
export type KeptValues = z.infer<typeof KeptValues>
