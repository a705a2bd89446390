/** A code that says all by itself. */
export type None = Record<string, never>
