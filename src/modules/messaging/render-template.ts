import type { Outbound } from '../channels/channel-adapter.ts'
import type { TemplateComponent } from '../channels/outbound.ts'

type TemplateMessage = Extract<Outbound, { kind: 'template' }>

/** Returns the text that the customer will read: header, body and footer with the values filled in. */
export function renderTemplate(
  components: readonly TemplateComponent[],
  message: Pick<TemplateMessage, 'body' | 'header'>,
): string {
  const part = (type: string) =>
    components.find((component) => component.type.toUpperCase() === type)?.text ?? ''
  const fill = (text: string, values: { name: string; text: string }[]) =>
    text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
      return values.find((value) => value.name === name)?.text ?? whole
    })
  return [
    fill(part('HEADER'), message.header ? [message.header] : []),
    fill(part('BODY'), message.body),
    part('FOOTER'),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}
