/** The parameters of a code that needs none. */
export type None = Record<string, never>
