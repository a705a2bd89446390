import { z } from 'zod'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'

/** How long a run waits, in minutes. */
export const waitMinutes = z.number().int().min(1).max(FLOW_LIMITS.waitMinutes)
