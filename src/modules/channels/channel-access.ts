/** What a channel is, as its adapter is given it. */

/** What a member types to connect a channel, by field. Of the secrets among it only the adapter knows. */
export type FormValues = Readonly<Record<string, string>>

/** What a channel is at its provider, as its row keeps it in the open. */
export type ChannelIdentity = {
  /** The provider's name for it in what it posts: phone number id, page id, bot id. One channel has it. */
  route: string
  /** The provider's account that it belongs to. */
  account: string | null
  /** By which people know it. */
  displayNumber: string | null
  /** Open fields of the form that say how it works here, and not what it is at the provider. */
  settings: FormValues
}

/** A channel as its adapter is given it. */
export type ChannelAccess<Credentials = FormValues> = Omit<ChannelIdentity, 'displayNumber'> & {
  /** As far as it is known. */
  displayNumber?: string | null
  /** Its provider is the simulator on this machine: the same adapter on another base URL. */
  isSimulated: boolean
  credentials: Credentials
}
