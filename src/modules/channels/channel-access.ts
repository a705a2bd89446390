/** A channel as its adapter receives it. */

/** The values of the form that connects a channel, by field. Only the adapter knows which are secrets. */
export type FormValues = Readonly<Record<string, string>>

/** The identity of a channel at its provider, stored unencrypted. */
export type ChannelIdentity = {
  /** The provider's name for the channel in its webhooks: phone number id, page id, bot id. Only one channel has it. */
  route: string
  /** The provider's account of the channel. */
  account: string | null
  /** The number or name by which people know it. */
  displayNumber: string | null
  /** Form fields without secrets that configure the channel here, not at the provider. */
  settings: FormValues
}

/** A channel as its adapter receives it. */
export type ChannelAccess<Credentials = FormValues> = Omit<ChannelIdentity, 'displayNumber'> & {
  /** The number or name, if known. */
  displayNumber?: string | null
  /** States whether the provider is the local simulator: the same adapter with another base URL. */
  isSimulated: boolean
  credentials: Credentials
}
