import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/** The value of the text that states the rule for passwords. */
export const passwordRule = { n: SIGN_IN_LIMITS.minPasswordChars } as const
