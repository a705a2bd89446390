import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import {
  mediaKindToSend,
  whyNoCaption,
  whyNotSendable,
} from '../../rules/messaging/sendable-media.ts'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import { fillText } from '../../rules/text/placeholders.ts'
import {
  afterSend,
  filledText,
  ifNotSent,
  nextStep,
  stepIssue,
  variablesIn,
  type StepDefinition,
} from './step-design.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

const schema = z.object({
  kind: z.literal('send_media'),
  /** One of the company's files for flows. */
  fileId: uuidInput,
  caption: filledText.nullable().default(null),
  next: nextStep,
  onNotSent: ifNotSent,
})

const NOTHING = { vars: {}, contact: { name: null, phone: null } }

/**
 * The step that sends a file of the company, with a caption where the channel allows one. Spec: Flows › Steps; Files ›
 * Sending.
 */
export const SEND_MEDIA = {
  schema,
  exits: ({ next, onNotSent }) => ({ next, onNotSent }),
  sends: 'message',
  reads: ({ caption }) => variablesIn([caption ?? '']),
  enter: ({ fileId, caption }, { fill }) => ({
    kind: 'send',
    content: { kind: 'media', fileId, caption: caption === null ? null : fill(caption) },
  }),
  resume: afterSend,
  issues({ fileId, caption }, { channelType, files }) {
    const file = files.find(({ id }) => id === fileId)
    if (!file) return [stepIssue('fileId', 'file_sendable', fact('file_exists'))]
    if (!channelType) return []
    const capabilities = CAPABILITIES[channelType]
    const refused = whyNotSendable(file, capabilities)
    if (refused) return [stepIssue('fileId', 'file_sendable', refused)]
    // Placeholders can only make the text longer.
    const words = fillText(caption ?? '', NOTHING).trim() || null
    const problem = whyNoCaption(mediaKindToSend(file, capabilities)!, words, capabilities)
    return problem ? [stepIssue('caption', 'file_sendable', problem)] : []
  },
} satisfies StepDefinition<z.infer<typeof schema>>
