import { z } from 'zod'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/** Of the app, in any digits; where it is lost, a recovery code. */
export const SecondFactorCode = z.strictObject({ code: z.string().max(SIGN_IN_LIMITS.codeChars) })

export type SecondFactorView = {
  isOn: boolean
  onSince: string | null
  recoveryCodesLeft: number
  /** The account wants it of everyone: until it is on, nothing else is answered. */
  mustSetUp: boolean
}

/** Shown once. `uri` is what the app reads as a picture; `secret` is what is typed instead. */
export type BegunSecondFactor = { secret: string; uri: string }

/** Shown once; each is good once in place of a code. */
export type RecoveryCodes = { recoveryCodes: string[] }
