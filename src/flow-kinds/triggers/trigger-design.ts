/**
 * What a kind of trigger is: all that the rest of the house asks of it. A kind is one file of this room
 * and one line of `triggers.ts`; nobody else asks for kinds by name. Pure: who writes what is decided
 * here to the tables, and reads them, is `flows/runs`.
 */
import type { z } from 'zod'
import type { Fact } from '../../core/facts/fact.ts'
import type { TriggerFacts } from '../../core/facts/triggers.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { PublishRule } from '../../core/vocabulary/flows.ts'

export type TriggerDefinition<Trigger> = {
  /** As a flow's definition holds it. */
  schema: z.ZodObject
  /** The customer wrote just now, so that a run may begin with a message that is no template. */
  opensWindow: boolean
  /** On every way a template comes before whatever else is sent or waited for. */
  needsTemplateFirst: boolean
  /** A run of it begins, and goes on, while staff handles the conversation. */
  startedDuringStaffHandling: boolean
  /** The variables that a run of it begins with. */
  sets(trigger: Trigger): string[]
  /** Minutes before an appointment at which it starts. */
  remindsBeforeMin?(trigger: Trigger): number
  /** What of its fields cannot be read, or is given twice. */
  fieldFaults?(trigger: Trigger): FieldFault[]
  /** What is wrong with it when its flow is to be published. */
  faults(trigger: Trigger, around: TriggerContext): TriggerFault[]
  /** How a customer's message starts it; null when none does. */
  byMessage: StartsByMessage<Trigger> | null
}

/** What a check before publishing must know besides the trigger itself. */
export type TriggerContext = {
  plan: Plan
  /** Of the flow; null when none is chosen, or it is gone. */
  channelType: ChannelType | null
  /** Templates of that channel, with the labels of their quick replies. */
  templates: readonly { name: string; buttons: readonly string[] }[]
  /** What starts other flows there that are published and switched on. */
  others: readonly (Pick<TriggerEntry, 'key' | 'phrase'> & { kind: string; flowName: string })[]
}

/** At the field of the trigger that breaks the rule. */
export type FieldFault = { at: (string | number)[] } & Fact

export type TriggerFault = {
  rule: PublishRule
  fact: Fact<keyof TriggerFacts>
  isWarning: boolean
}

/** A line of the table that messages look their triggers up in. */
export type TriggerEntry = {
  /** What a message finds it by, beside the channel and the kind. */
  key: string
  /** What of the message must be so, folded. */
  phrase: string
  /** The message must be only that. */
  isExact: boolean
  /** It may end a run that waits for a reply. */
  interrupts: boolean
}

/** A customer's message, as triggers see it. */
export type IncomingMessage = {
  /** Folded text, or label of a tapped button; null of media: their captions start nothing. */
  text: string | null
  /** It is what `conversation.started` tells of. */
  isFirst: boolean
  /** The template whose button was pressed. */
  pressedTemplate: string | null
}

/** A message as its words count: folded, of a text or a tapped button; captions are no words. */
export function asTriggersSee({
  type,
  text,
  isFirst,
  pressedTemplate,
}: Omit<IncomingMessage, 'text'> & { type: string; text: string | null }): IncomingMessage {
  const folded = type === 'text' && text !== null ? foldText(text) : ''
  return { text: folded === '' ? null : folded, isFirst, pressedTemplate }
}

export type StartsByMessage<Trigger> = {
  /** Kinds are asked in this order, 1 first. */
  place: number
  /** Another flow of the channel with the same entry cannot be on as well. */
  isExclusive: boolean
  entriesOf(trigger: Trigger): TriggerEntry[]
  /** The keys of the entries that a message may fit. */
  keysOf(message: IncomingMessage): string[]
  /** How an entry of one of those keys fits; null: not at all. */
  fit(entry: TriggerEntry, message: IncomingMessage): TriggerFit | null
}

export type TriggerFit = {
  /** Within a kind the highest wins. */
  rank: number
  /** What becomes of a run that waits for the message: it gets it, goes on waiting, or ends. */
  waitingRun: 'gets_it' | 'goes_on' | 'ends'
}
