/**
 * How much longer than at a desk is waited where nobody sits: a shared machine may have half of its usual speed, and
 * what does come is no failure. It stretches what only ends a wait, and nothing that a test measures.
 */
export const TIMEOUT_FACTOR = process.env.CI ? 3 : 1
