const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/

/** Whether a provider's name for a channel or an account is one that is looked for at all. */
export const isPlainName = (name: string) => PLAIN.test(name)
