/**
 * The factor of all time-outs. It is larger in CI: a shared machine may have half of a developer's speed, and a
 * late result is no failure. It lengthens only the end of waits, and nothing that a test measures.
 */
export const TIMEOUT_FACTOR = process.env.CI ? 3 : 1
