import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../core/limits/http.ts'

export const emailInput = z.email().max(DASHBOARD_LIMITS.emailChars)
