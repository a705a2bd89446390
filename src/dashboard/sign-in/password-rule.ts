import { SIGN_IN_LIMITS } from '../../contract/sign-in-limits.ts'

/** What a chosen password is told to be. */
export const passwordRule = { n: SIGN_IN_LIMITS.passwordLeastChars } as const
