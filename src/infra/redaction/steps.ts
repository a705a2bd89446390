/** Work in steps of a few milliseconds, so that other work can use the thread between them. */
export type Steps<Result> = Generator<undefined, Result>

/** The number of bytes that may still be decoded. */
export type Budget = { left: number }
