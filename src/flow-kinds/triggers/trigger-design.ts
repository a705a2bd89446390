/**
 * The definition of a kind of trigger. A kind is one file of this folder and one line of `triggers.ts`; no other code
 * names kinds. Pure: `flows/runs` writes the results to the tables and reads them.
 */
import type { z } from 'zod'
import type { Fact } from '../../core/facts/fact.ts'
import type { TriggerFacts } from '../../core/facts/triggers.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { PublishRule } from '../../core/vocabulary/flows.ts'

/** A kind of trigger: its schema, its checks, and how it starts runs. */
export type TriggerDefinition<Trigger> = {
  /** The schema of the trigger in a flow's definition. */
  schema: z.ZodObject
  /** True when the customer has just written, so that a run may begin with a message other than a template. */
  opensWindow: boolean
  /** True when every path must send a template before any other message or wait. */
  needsTemplateFirst: boolean
  /** True when a run begins and continues while staff handles the conversation. */
  mayRunDuringStaffHandling: boolean
  /** Returns the variables that a run begins with. */
  sets(trigger: Trigger): string[]
  /** Returns the minutes before an appointment at which it starts. */
  remindsBeforeMin?(trigger: Trigger): number
  /** Returns the fields that cannot be read or that have duplicates. */
  fieldIssues?(trigger: Trigger): FieldIssue[]
  /** Returns the issues that keep the trigger's flow from being published. */
  issues(trigger: Trigger, around: TriggerContext): TriggerIssue[]
  /** The rule by which a customer's message starts it; null when no message does. */
  byMessage: StartsByMessage<Trigger> | null
}

/** The data that a check before publishing needs besides the trigger. */
export type TriggerContext = {
  plan: Plan
  /** The type of the flow's channel; null when none is chosen or it was deleted. */
  channelType: ChannelType | null
  /** Templates of that channel, with the labels of their quick replies. */
  templates: readonly { name: string; buttons: readonly string[] }[]
  /** The triggers of the channel's other flows that are published and switched on. */
  others: readonly (Pick<TriggerEntry, 'key' | 'phrase'> & { kind: string; flowName: string })[]
}

/** An issue of one field of a trigger, with the path of the field. */
export type FieldIssue = { at: (string | number)[] } & Fact

/** An issue that the check before publishing finds in a trigger. */
export type TriggerIssue = {
  rule: PublishRule
  fact: Fact<keyof TriggerFacts>
  isWarning: boolean
}

/** A row of the table by which messages find their triggers. */
export type TriggerEntry = {
  /** The key by which a message finds the trigger, within a channel and a kind. */
  key: string
  /** The folded phrase that the message must have. */
  phrase: string
  /** True when the message must consist of the phrase alone. */
  isExact: boolean
  /** True when it may end a run that waits for a reply. */
  interrupts: boolean
}

/** A customer's message in the form for matching. */
export type IncomingMessage = {
  /** The folded text, or the label of a tapped button; null for media, whose captions start no flow. */
  text: string | null
  /** True when the message opens the conversation, as `conversation.started` reports. */
  isFirst: boolean
  /** The template whose button was pressed. */
  pressedTemplate: string | null
}

/**
 * Returns a message in the form for matching: the folded text of a text message or tapped button. Captions do not
 * count.
 */
export function toIncomingMessage({
  type,
  text,
  isFirst,
  pressedTemplate,
}: Omit<IncomingMessage, 'text'> & { type: string; text: string | null }): IncomingMessage {
  const folded = type === 'text' && text !== null ? foldText(text) : ''
  return { text: folded === '' ? null : folded, isFirst, pressedTemplate }
}

/** The rule by which customers' messages start a kind of trigger. */
export type StartsByMessage<Trigger> = {
  /** The order in which kinds are tried, 1 first. */
  precedence: number
  /** True when no other active flow of the channel may have the same entry. */
  isExclusive: boolean
  entriesOf(trigger: Trigger): TriggerEntry[]
  /** Returns the keys of the entries that a message may match. */
  keysOf(message: IncomingMessage): string[]
  /** Returns the fit of an entry with one of those keys; null when it does not match. */
  fit(entry: TriggerEntry, message: IncomingMessage): TriggerFit | null
}

/** The rank of a message's match with an entry, and its consequence for a waiting run. */
export type TriggerFit = {
  /** The highest rank wins within a kind. */
  rank: number
  /** The consequence for a run that waits for the message: it gets it, keeps waiting, or ends. */
  waitingRun: 'gets_it' | 'goes_on' | 'ends'
}
