/**
 * Runs in each worker: hashes passwords with the least work that argon2id allows, since tests sign in thousands
 * of times.
 */
import { setPasswordCost } from '../../src/modules/accounts/password.ts'

export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

setPasswordCost(CHEAP_PASSWORDS)
