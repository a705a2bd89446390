import { z } from 'zod'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'

/** The duration of a run's wait, in minutes. */
export const waitMinutes = z.number().int().min(1).max(FLOW_LIMITS.waitMinutes)
