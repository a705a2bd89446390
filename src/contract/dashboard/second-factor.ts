import { z } from 'zod'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/** A code of the authenticator app in any digits, or a recovery code. */
export const SecondFactorCode = z.strictObject({ code: z.string().max(SIGN_IN_LIMITS.codeChars) })

export type SecondFactorView = {
  isOn: boolean
  onSince: string | null
  recoveryCodesLeft: number
  /** The account requires it of every member. Until it is set up, all other routes are refused. */
  mustSetUp: boolean
}

/** A new second factor, which is shown once. The app scans `uri` as a QR code; `secret` is for typing. */
export type BegunSecondFactor = { secret: string; uri: string }

/** Recovery codes, which are shown once. Each replaces one code of the app once. */
export type RecoveryCodes = { recoveryCodes: string[] }
