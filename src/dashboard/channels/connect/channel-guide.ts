import type { ComponentType } from 'react'
import type { ChannelView } from '../../../contract/dashboard/channel.ts'

/** A field in the form of a channel type, with the name that the adapter uses. */
export type GuidedField = {
  name: string
  label: string
  /** A sentence on where the value is found, or on its purpose. */
  where: string
  /** The value is stored encrypted and never shown again. */
  isSecret?: boolean
  /** A choice among a few values; the first one is the default. */
  options?: readonly { value: string; label: string }[]
  /** The value can be changed on the channel's page. */
  isSetLater?: boolean
  /** Converts the typed text to the form that the adapter reads. */
  read?: (typed: string) => string
  /** An empty field is left out of the request. */
  isOptional?: boolean
}

/** The texts of a channel type, in the language of the interface. */
export type GuideTexts = {
  /** The title of the button and of the page. */
  connect: string
  /** A sentence on the requirements. */
  lead: string
  /** The title above the fields. */
  given: string
  /** The title above the values for the provider; null where the provider needs none. */
  needed: string | null
  /** A sentence on the first test, which makes a message arrive. */
  tryIt: string
  /** The fields in the order of the form. */
  fields: readonly GuidedField[]
}

/**
 * The way in which a channel type is connected, and the parts of its page that not every channel has. Each type has a
 * file next to this one and a line in `guides.ts`.
 */
export type ChannelGuide = {
  /** A React hook that returns the texts. */
  useTexts(): GuideTexts
  /** The channel belongs to this service: no provider is called, and none knows the channel. */
  isOurs?: boolean
  /** The form asks for the country, by which numbers without a country code are read. */
  asksCountry?: boolean
  /** The values to enter at the provider. `shownOnce` is empty once the channel is connected. */
  AtProvider?: ComponentType<{ channel: ChannelView; shownOnce: Readonly<Record<string, string>> }>
  /** Additional panels on the channel's page. */
  Panels?: ComponentType<{ channel: ChannelView }>
  /** Replaces the whole page, for a type that is not connected by a form and pasted values. */
  Connect?: ComponentType
}

type Say<Key extends string> = (key: Key) => string

/** Returns the texts that every guide has under the same keys, as `t` translates them. */
export const textsBy = (
  t: Say<'connect' | 'lead' | 'given' | 'try_it'>,
): Omit<GuideTexts, 'fields' | 'needed'> => ({
  connect: t('connect'),
  lead: t('lead'),
  given: t('given'),
  tryIt: t('try_it'),
})

/** Returns a form field whose label has its name as key, and whose explanation has the key `<name>_where`. */
export const fieldBy = <Name extends string>(
  t: Say<Name | `${Name}_where`>,
  name: Name,
): GuidedField => ({ name, label: t(name), where: t(`${name}_where`) })

/** The guide for a type that this version cannot connect, but which existing channels have. */
export const NO_GUIDE: ChannelGuide = {
  useTexts: () => ({ connect: '', lead: '', given: '', needed: null, tryIt: '', fields: [] }),
}
