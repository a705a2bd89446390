import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import type { HookStatus } from '../../core/vocabulary/hooks.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { valuePath } from '../../schemas/flow-names.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

export const CreateHookUrl = z.strictObject({ flowId: uuidInput })
export type CreateHookUrl = z.output<typeof CreateHookUrl>

export type HookUrlView = {
  id: string
  flow: { id: string; name: string }
  tokenLastFour: string
  createdAt: string
  replacedAt: string | null
}

/** A new hook URL. Only this answer has the URL, because it contains the token. */
export type NewHookUrl = { hookUrl: HookUrlView; url: string }

/** The last JSON body that the URL received, with long lists and texts truncated, and its answer. */
export type HookShape = {
  body: string
  answerStatus: HookStatus
  /** The check, 1 to 13, that rejected the request; null if all passed. `duplicate` stops at 9 and is no failure. */
  stoppedAtCheck: number | null
  receivedAt: string
}

const bytes = new TextEncoder()
const json = z
  .string()
  .refine(
    (text) => bytes.encode(text).length <= HOOK_LIMITS.bodyBytes,
    failsWith(fact('too_big', { max: HOOK_LIMITS.bodyBytes, unit: 'bytes' })),
  )

/** A path to try on a sample body, which is JSON text. */
export const TryPath = z.strictObject({ json, path: valuePath.max(HOOK_LIMITS.bodyBytes) })
export type TryPath = z.output<typeof TryPath>

/** A JSON value to read as a phone number. `country` is that of the flow's number: two letters, or empty. */
export const TryPhone = z.strictObject({ value: json, country: z.string().max(2) })
export type TryPhone = z.output<typeof TryPhone>

/** The value that a path or phone number reads as; empty if the body has none. */
export type TryResult = { ok: true; value: string } | { ok: false; reason: LocalizedFact }

export interface HookUrlRoutes {
  '/companies/:companyId/hook-urls': {
    get: Route<Page<HookUrlView>, { query: typeof PageQuery }>
    post: Route<NewHookUrl, { json: typeof CreateHookUrl }>
  }
  '/companies/:companyId/hook-urls/:hookUrlId': { get: Route<HookUrlView>; delete: Route<null> }
  '/companies/:companyId/hook-urls/:hookUrlId/replace': { post: Route<NewHookUrl> }
  '/companies/:companyId/hook-urls/:hookUrlId/shape': { get: Route<{ shape: HookShape | null }> }
  '/companies/:companyId/testers/path': { post: Route<TryResult, { json: typeof TryPath }> }
  '/companies/:companyId/testers/phone': { post: Route<TryResult, { json: typeof TryPhone }> }
}
