/**
 * Marks for single tests of the system tier in a file of another tier: those that go a long way, or that fill tables.
 * `npm test` does not know them; `npm run test:all`, and whoever runs the file without a tier, does.
 */
import { describe, test, type SuiteAPI, type TestAPI } from 'vitest'

const IS_OTHER_TIER = ['unit', 'quick'].includes(process.env.TESTS ?? '')

const unknown = Object.assign(() => {}, { each: () => () => {} })

export const systemTest = (IS_OTHER_TIER ? unknown : test) as TestAPI

/** The `describe` of tests that are all of the system tier. */
export const systemDescribe = (IS_OTHER_TIER ? unknown : describe) as SuiteAPI
