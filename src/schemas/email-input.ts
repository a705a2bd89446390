import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../core/limits/http.ts'

/** An e-mail address that a program or a form sends. */
export const emailInput = z.email().max(DASHBOARD_LIMITS.emailChars)

/** An e-mail address that a person typed, which is trimmed. */
export const typedEmail = z.string().trim().max(DASHBOARD_LIMITS.emailChars).pipe(z.email())
