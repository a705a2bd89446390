/**
 * Marks for single tests of the system tier, where the rest of their file is of another tier: a test that goes a long
 * way, or that fills tables. They are unknown to `npm test`; `npm run test:all` runs them.
 */
import { describe, test, type SuiteAPI, type TestAPI } from 'vitest'
import { IS_FULL_SIZE } from './full-size.ts'

const unknown = Object.assign(() => {}, { each: () => () => {} })

/** The `test` of a test that is of the system tier. */
export const systemTest = (IS_FULL_SIZE ? test : unknown) as TestAPI

/** The `describe` of tests that are all of the system tier. */
export const systemDescribe = (IS_FULL_SIZE ? describe : unknown) as SuiteAPI
