/** In each worker: passwords are hashed with the least work that argon2id allows, since tests sign in by the thousand. */
import { setPasswordCost } from '../../src/modules/accounts/password.ts'

export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

setPasswordCost(CHEAP_PASSWORDS)
