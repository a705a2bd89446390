/** Work in steps of a few milliseconds: between two of them others may have the thread. */
export type Steps<Result> = Generator<undefined, Result>

/** The number of bytes that may still be decoded. */
export type Budget = { left: number }
