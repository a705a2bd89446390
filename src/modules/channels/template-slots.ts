import type { UnfillablePart } from '../../core/facts/runs.ts'
import type { TemplateComponent } from './outbound.ts'

/** The values that a template needs. */
export type TemplateSlots = {
  /** The variable of a text header. */
  header: string | null
  /** Variables of the body: `1`, `2`, … by number, or names in their order. */
  body: string[]
  /** Quick replies by their index among all buttons. */
  quickReplies: { index: number; text: string }[]
  /** URL buttons that end in a variable. */
  urlSuffixes: { index: number; text: string }[]
  /** A part that this service cannot fill; null when the template can be sent. */
  unsupported: UnfillablePart | null
}

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g
const PLAIN_BUTTONS = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'VOICE_CALL'])

/** Returns what must be filled in to send a template. Spec: Concepts › Template; Flows › Automated templates. */
export function readTemplateSlots(components: readonly TemplateComponent[]): TemplateSlots {
  const slots: TemplateSlots = {
    header: null,
    body: [],
    quickReplies: [],
    urlSuffixes: [],
    unsupported: null,
  }
  for (const component of components) {
    const type = component.type.toUpperCase()
    if (type === 'HEADER') {
      readHeader(component, slots)
    } else if (type === 'BODY') {
      slots.body = readVariables(component.text)
    } else if (type === 'BUTTONS') {
      readButtons(component, slots)
    } else if (type !== 'FOOTER') {
      slots.unsupported = { part: 'component', type }
    }
  }
  return slots
}

function readHeader({ format = 'TEXT', text }: TemplateComponent, slots: TemplateSlots): void {
  if (format.toUpperCase() === 'TEXT') {
    slots.header = readVariables(text)[0] ?? null
  } else {
    slots.unsupported = { part: 'header', type: format.toUpperCase() }
  }
}

function readButtons({ buttons = [] }: TemplateComponent, slots: TemplateSlots): void {
  for (const [index, button] of buttons.entries()) {
    const type = button.type.toUpperCase()
    const text = button.text ?? ''
    if (type === 'QUICK_REPLY') {
      slots.quickReplies.push({ index, text })
    } else if (type === 'URL' && readVariables(button.url).length > 0) {
      slots.urlSuffixes.push({ index, text })
    } else if (!PLAIN_BUTTONS.has(type)) {
      slots.unsupported = { part: 'button', type }
    }
  }
}

function readVariables(text = ''): string[] {
  const names = [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))]
  const isPositional = names.every((name) => /^\d+$/.test(name))
  return isPositional ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}

const SPACES_IN_A_ROW_MAX = 4

/**
 * Returns a value in the form that templates accept: line breaks, tabs and longer runs of spaces become one space,
 * and the ends are trimmed. The result may be empty, which the caller refuses.
 */
export function cleanParameter(text: string): string {
  return text
    .replace(/\s+/g, (run) =>
      run.length > SPACES_IN_A_ROW_MAX || /[\n\r\t\v\f\u2028\u2029]/.test(run) ? ' ' : run,
    )
    .trim()
}
