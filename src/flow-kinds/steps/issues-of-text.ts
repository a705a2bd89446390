import { fact } from '../../core/facts/fact.ts'
import { CAPABILITIES, whyTooLong } from '../../rules/messaging/channel-capabilities.ts'
import { fillText } from '../../rules/text/placeholders.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { stepIssue, type StepIssue } from './step-design.ts'

const NOTHING = { vars: {}, contact: { name: null, phone: null } }

/** Returns the issues that keep a text from being sent on a channel. */
export function issuesOfText(
  field: string,
  text: string,
  channelType: ChannelType | null,
): StepIssue[] {
  if (!channelType) return []
  const capabilities = CAPABILITIES[channelType]
  if (capabilities.longestText === null) {
    const silent = fact('channel_type_sends_nothing', { channelType })
    return [stepIssue(null, 'channel_type', silent)]
  }
  // Placeholders can only make the text longer.
  const tooLong = whyTooLong(fillText(text, NOTHING).trim(), capabilities)
  return tooLong ? [stepIssue(field, 'text_length', fact('text_length', tooLong))] : []
}
