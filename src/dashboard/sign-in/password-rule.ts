import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'

/** What a chosen password is told to be. */
export const passwordRule = { n: SIGN_IN_LIMITS.passwordLeastChars } as const
