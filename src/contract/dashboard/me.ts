import { z } from 'zod'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { formText } from '../../schemas/form-text.ts'
import { DIGITS, TIMES_SHOWN, type Digits, type TimeShown } from '../../core/vocabulary/accounts.ts'
import { LANGUAGES, type Language } from '../../core/vocabulary/hooks.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorView,
} from './second-factor.ts'
import type { Route } from './route.ts'

/** The schema of a person's name, as people type it into forms. */
export const personName = formText(1, DASHBOARD_LIMITS.personNameChars)

/** The personal settings to change; the others stay. A null language means the browser's. */
export const EditMe = z
  .strictObject({
    name: personName,
    language: z.enum(LANGUAGES).nullable(),
    digits: z.enum(DIGITS),
    timeShown: z.enum(TIMES_SHOWN),
  })
  .partial()
export type EditMe = z.output<typeof EditMe>

/** The signed-in person, with their personal settings. */
export type MeView = {
  id: string
  email: string
  name: string | null
  /** The language of the dashboard and of e-mails to this person. With null, the browser's preference applies. */
  language: Language | null
  /** The digits of numbers in Arabic. */
  digits: Digits
  timeShown: TimeShown
}

export interface MeRoutes {
  '/me': { get: Route<MeView>; patch: Route<MeView, { json: typeof EditMe }> }
  '/me/second-factor': { get: Route<SecondFactorView> }
  '/me/second-factor/begin': { post: Route<BegunSecondFactor> }
  '/me/second-factor/confirm': { post: Route<RecoveryCodes, { json: typeof SecondFactorCode }> }
  '/me/second-factor/switch-off': { post: Route<null, { json: typeof SecondFactorCode }> }
  '/me/second-factor/recovery-codes': {
    post: Route<RecoveryCodes, { json: typeof SecondFactorCode }>
  }
}
