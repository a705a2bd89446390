import type { CustomerRef, Outbound } from '../channel-adapter.ts'

type Template = Extract<Outbound, { kind: 'template' }>
type Parameter = { name: string; text: string }

/**
 * The body of `POST /{phone number id}/messages`; null when the customer has no address here. A
 * number wins over the business-scoped id. `ourReference` comes back in every status.
 */
export function buildMessage(
  to: CustomerRef,
  message: Outbound,
  ourReference: string,
): Record<string, unknown> | null {
  const address =
    to.number !== undefined
      ? { to: `+${to.number}` }
      : to.businessScopedId !== undefined
        ? { recipient: to.businessScopedId }
        : null
  return address === null
    ? null
    : {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...address,
        biz_opaque_callback_data: ourReference,
        ...(message.kind === 'text'
          ? { type: 'text', text: { body: message.text, preview_url: false } }
          : { type: 'template', template: buildTemplate(message) }),
      }
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
