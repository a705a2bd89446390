import type { ComponentType } from 'react'
import type { ChannelView } from '../../../contract/dashboard/channel.ts'

/** A field of the form of a type, as its adapter names it. */
export type GuidedField = {
  name: string
  label: string
  /** Where it is found, or what it is for. */
  where: string
  /** Stored encrypted and never shown again. */
  isSecret?: boolean
  /** A choice among a few words; the first is the one that stands. */
  options?: readonly { value: string; label: string }[]
  /** May be changed on the channel's page. */
  isSetLater?: boolean
  /** As the adapter reads it, of what was typed. */
  read?: (typed: string) => string
  /** Left out of what is posted where it is left empty. */
  isOptional?: boolean
}

/** What a type says in its own words, in the language of the interface. */
export type GuideTexts = {
  /** Of the act and of the page: what is connected. */
  connect: string
  /** What it takes. */
  lead: string
  /** Over the fields: whose words they are. */
  given: string
  /** Over what the provider needs from us; null where it needs nothing. */
  needed: string | null
  /** What is to be done once, so that a message arrives. */
  tryIt: string
  /** In the order of the form. */
  fields: readonly GuidedField[]
}

/**
 * How a type of channel is connected, and what its page shows beside what every channel has. A type is a file
 * beside this one and a line of `guides.ts`.
 */
export type ChannelGuide = {
  /** A hook. */
  useTexts(): GuideTexts
  /** Its door is our own: no provider is asked, and none knows it. */
  isOurs?: boolean
  /** The country is asked for, since numbers without one are read by it. */
  asksCountry?: boolean
  /** What is to be entered at the provider. `shownOnce` is empty once the channel stands. */
  AtProvider?: ComponentType<{ channel: ChannelView; shownOnce: Readonly<Record<string, string>> }>
  /** Panels of its own on the channel's page. */
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

/** Of a type that this version cannot connect, but of which there are channels. */
export const NO_GUIDE: ChannelGuide = {
  useTexts: () => ({ connect: '', lead: '', given: '', needed: null, tryIt: '', fields: [] }),
}
