import { z } from 'zod'
import { HOOK_STATUSES, type HookStatus } from '../core/vocabulary/hooks.ts'

/** The body of every answer of a hook URL. Spec: Hooks › Response. */
export const HookResponse = z.object({
  id: z.string().meta({ format: 'uuid' }).nullable(),
  status: z.string().meta({ 'x-extensible-enum': HOOK_STATUSES }),
  detail: z.string().nullable(),
})
export type HookResponse = { id: string | null; status: HookStatus; detail: string | null }
