import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../core/limits/http.ts'

export const emailInput = z.email().max(DASHBOARD_LIMITS.emailChars)

/** Accepts an e-mail address that a person typed, and trims it. */
export const typedEmail = z.string().trim().max(DASHBOARD_LIMITS.emailChars).pipe(z.email())
