import type { Outbound } from '../channel-adapter.ts'
import type { CustomerRef } from '../inbound.ts'

type Template = Extract<Outbound, { kind: 'template' }>
type Media = Extract<Outbound, { kind: 'media' }>
type Parameter = { name: string; text: string }

/** Returns whether a customer has an address on WhatsApp. */
export function hasAddress(to: CustomerRef): boolean {
  return addressOf(to) !== null
}

function addressOf({ number, businessScopedId }: CustomerRef): Record<string, string> | null {
  if (number !== undefined) return { to: `+${number}` }
  return businessScopedId === undefined ? null : { recipient: businessScopedId }
}

/**
 * Builds the body of `POST /{phone number id}/messages`, or null when the customer has no address. The number takes
 * precedence over the business-scoped id. `ourReference` is repeated in every status.
 */
export function buildMessage(
  to: CustomerRef,
  message: Outbound,
  { ourReference, mediaId }: { ourReference: string; mediaId: string | null },
): Record<string, unknown> | null {
  const address = addressOf(to)
  if (address === null) return null
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...address,
    biz_opaque_callback_data: ourReference,
    ...buildContent(message, mediaId),
  }
}

function buildContent(message: Outbound, mediaId: string | null): Record<string, unknown> {
  switch (message.kind) {
    case 'text':
      return { type: 'text', text: { body: message.text, preview_url: false } }
    case 'buttons': {
      const buttons = message.buttons.map(({ label, payload }) => ({
        type: 'reply',
        reply: { id: payload, title: label },
      }))
      return buildInteractive('button', message.text, { buttons })
    }
    case 'list': {
      const rows = message.rows.map(({ label, payload }) => ({ id: payload, title: label }))
      return buildInteractive('list', message.text, {
        button: message.button,
        sections: [{ rows }],
      })
    }
    case 'template':
      return { type: 'template', template: buildTemplate(message) }
    case 'media':
      return { type: message.mediaKind, [message.mediaKind]: buildMedia(message, mediaId) }
  }
}

/** Audio has no caption, and only documents display their name. */
function buildMedia({ mediaKind, caption, fileName }: Media, id: string | null) {
  return {
    id,
    ...(caption === null || mediaKind === 'audio' ? {} : { caption }),
    ...(fileName === null || mediaKind !== 'document' ? {} : { filename: fileName }),
  }
}

function buildInteractive(type: string, text: string, action: Record<string, unknown>) {
  return { type: 'interactive', interactive: { type, body: { text }, action } }
}

function buildTemplate(template: Template): Record<string, unknown> {
  const components = [
    ...(template.header
      ? [{ type: 'header', parameters: buildParameters(template, [template.header]) }]
      : []),
    ...(template.body.length > 0
      ? [{ type: 'body', parameters: buildParameters(template, template.body) }]
      : []),
    ...template.quickReplies.map(({ index, payload }) =>
      buildButton('quick_reply', index, { type: 'payload', payload }),
    ),
    ...template.urlSuffixes.map(({ index, text }) =>
      buildButton('url', index, { type: 'text', text }),
    ),
  ]
  return {
    name: template.name,
    language: { policy: 'deterministic', code: template.language },
    ...(components.length > 0 ? { components } : {}),
  }
}

function buildParameters({ parameterFormat }: Template, values: Parameter[]) {
  return values.map(({ name, text }) => ({
    type: 'text',
    ...(parameterFormat === 'NAMED' ? { parameter_name: name } : {}),
    text,
  }))
}

function buildButton(subType: string, index: number, parameter: Record<string, string>) {
  return { type: 'button', sub_type: subType, index: String(index), parameters: [parameter] }
}
