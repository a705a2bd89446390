/**
 * Marks for single tests of the system tier in a file of another tier: those that take long, or that fill
 * tables. `npm test` leaves them out. `npm run test:all` runs them, and so does a run of the file without a
 * tier.
 */
import { describe, test, type SuiteAPI, type TestAPI } from 'vitest'

const IS_OTHER_TIER = ['unit', 'quick'].includes(process.env.TESTS ?? '')

const unknown = Object.assign(() => {}, { each: () => () => {} })

export const systemTest = (IS_OTHER_TIER ? unknown : test) as TestAPI

/** The `describe` of tests that are all of the system tier. */
export const systemDescribe = (IS_OTHER_TIER ? unknown : describe) as SuiteAPI
