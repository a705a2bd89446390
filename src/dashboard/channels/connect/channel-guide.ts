import type { ComponentType } from 'react'
import type { ChannelView } from '../../../contract/dashboard/channel.ts'

/** A field of the form of a type, as its adapter names it. */
export type GuidedField = {
  name: string
  label: string
  /** A sentence on where the value is found, or on its purpose. */
  where: string
  /** Stored encrypted and never shown again. */
  isSecret?: boolean
  /** A choice among a few values; the first one is the default. */
  options?: readonly { value: string; label: string }[]
  /** May be changed on the channel's page. */
  isSetLater?: boolean
  /** Converts the typed text to the form that the adapter reads. */
  read?: (typed: string) => string
  /** Left out of what is posted where it is left empty. */
  isOptional?: boolean
}

/** The texts of a channel type, in the language of the interface. */
export type GuideTexts = {
  /** The title of the button and of the page. */
  connect: string
  /** A sentence on the requirements. */
  lead: string
  /** Over the fields: whose words they are. */
  given: string
  /** Over what the provider needs from us; null where it needs nothing. */
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
  /** A hook. */
  useTexts(): GuideTexts
  /** The channel belongs to this service: no provider is called, and none knows the channel. */
  isOurs?: boolean
  /** The country is asked for, since numbers without one are read by it. */
  asksCountry?: boolean
  /** The values to enter at the provider. `shownOnce` is empty once the channel is connected. */
  AtProvider?: ComponentType<{ channel: ChannelView; shownOnce: Readonly<Record<string, string>> }>
  /** Additional panels on the channel's page. */
  Panels?: ComponentType<{ channel: ChannelView }>
  /** Connects it in another way than by a form and what is pasted: the whole page. */
  Connect?: ComponentType
}

type Say<Key extends string> = (key: Key) => string

/** Returns what every guide says, by the same keys of its dictionary. */
export const textsBy = (
  t: Say<'connect' | 'lead' | 'given' | 'try_it'>,
): Omit<GuideTexts, 'fields' | 'needed'> => ({
  connect: t('connect'),
  lead: t('lead'),
  given: t('given'),
  tryIt: t('try_it'),
})

/** Returns what a field says, whose keys of the dictionary begin with its name. */
export const fieldBy = <Name extends string>(
  t: Say<Name | `${Name}_where`>,
  name: Name,
): GuidedField => ({ name, label: t(name), where: t(`${name}_where`) })

/** The guide for a type that this version cannot connect, but which existing channels have. */
export const NO_GUIDE: ChannelGuide = {
  useTexts: () => ({ connect: '', lead: '', given: '', needed: null, tryIt: '', fields: [] }),
}
