const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/

/** Returns whether a provider's name for a channel or an account is well-formed enough to be looked up. */
export const isPlainName = (name: string) => PLAIN.test(name)
