import type { Button, Content } from './book.ts'
import { refusal } from '../graph-error.ts'
import { readFields, readList, readText } from '../json-fields.ts'
import type { Fields } from '../json-fields.ts'
import type { GraphButton, GraphComponent, GraphTemplate } from './graph-template.ts'

type Filled = { content: Content; params: string[] }

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g
const BAD_TEXT = /[\n\r\t]| {5}/

/**
 * Returns the message of a template and the `components` of a send, as the customer reads it.
 * @throws GraphError as Meta refuses: the wrong number of values (132000), of the wrong form (132012, 131009), none
 * where one is needed (131008), or with line breaks (132018).
 */
export function fillTemplate(template: GraphTemplate, components: unknown): Filled {
  const given = (Array.isArray(components) ? components : []).map(readFields)
  const isNamed = template.parameter_format?.toUpperCase() === 'NAMED'
  const part = (type: string) =>
    template.components.find((component) => component.type.toUpperCase() === type)
  const valuesFor = (type: string) =>
    readList(given.find((component) => isWord(component.type, type))?.parameters)

  const header = fillHeader(part('HEADER'), valuesFor('header'), isNamed)
  const body = fillText('body', part('BODY')?.text ?? '', valuesFor('body'), isNamed)
  const buttons = part('BUTTONS')?.buttons ?? []
  return {
    content: {
      header,
      text: body.text,
      footer: part('FOOTER')?.text ?? null,
      buttons: fillButtons(
        buttons,
        given.filter((component) => isWord(component.type, 'button')),
      ),
    },
    params: body.values,
  }
}

function fillHeader(
  header: GraphComponent | undefined,
  values: Fields[],
  isNamed: boolean,
): string | null {
  const format = header?.format?.toUpperCase() ?? 'TEXT'
  if (format === 'TEXT') {
    const { text } = fillText('header', header?.text ?? '', values, isNamed)
    return header === undefined ? null : text
  }
  const [value] = values
  if (values.length !== 1 || value === undefined) {
    throw countMismatch('header', values.length, 1)
  }
  const media = readFields(value[format.toLowerCase()])
  if (!isWord(value.type, format.toLowerCase()) || Object.keys(media).length === 0) {
    const received = typeof value.type === 'string' ? value.type.toUpperCase() : 'UNKNOWN'
    throw refusal(132012, `header: Format mismatch, expected ${format}, received ${received}`)
  }
  return `[${format.toLowerCase()}]`
}

function fillText(part: string, text: string, values: Fields[], isNamed: boolean) {
  const names = [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] ?? ''))]
  if (names.length !== values.length) {
    throw countMismatch(part, values.length, names.length)
  }
  const byName = new Map<string, string>()
  for (const [index, value] of values.entries()) {
    const name = isNamed ? (readText(value.parameter_name) ?? '') : String(index + 1)
    if (isNamed && !names.includes(name)) {
      throw refusal(132012, `${part}: the parameter name '${name}' is not one of the template`)
    }
    byName.set(name, readValue(part, value))
  }
  return {
    text: text.replace(VARIABLE, (variable, name: string) => byName.get(name) ?? variable),
    values: [...byName.values()],
  }
}

function readValue(part: string, parameter: Fields): string {
  const type = typeof parameter.type === 'string' ? parameter.type : 'text'
  const text = type === 'text' ? parameter.text : readFields(parameter[type]).fallback_value
  if (typeof text !== 'string' || text === '') {
    throw refusal(131008, `${part}: Parameter of type ${type} is missing text value`)
  }
  if (BAD_TEXT.test(text)) {
    throw refusal(132018)
  }
  return text
}

function fillButtons(buttons: GraphButton[], given: Fields[]): Button[] {
  const values = new Map<number, string>()
  for (const component of given) {
    const index = Number(component.index ?? 0)
    const button = buttons[index]
    const subType = (readText(component.sub_type) ?? '').toUpperCase()
    if (button === undefined || subType !== button.type.toUpperCase()) {
      const what = `of type ${subType || 'unknown'} at index ${index}`
      throw refusal(131009, `buttons: the template has no button ${what}`)
    }
    const parameter = readFields(readList(component.parameters)[0])
    const value = parameter.payload ?? parameter.text ?? parameter.coupon_code
    if (typeof value === 'string') {
      values.set(index, value)
    }
  }
  return buttons.map((button, index) => fillButton(button, index, values.get(index)))
}

function fillButton(button: GraphButton, index: number, value: string | undefined): Button {
  const type = button.type.toUpperCase()
  const needsValue = type === 'URL' && (button.url?.match(VARIABLE) ?? null) !== null
  if (needsValue && (value === undefined || value === '')) {
    throw refusal(131008, `buttons: Button at index ${index} of type Url requires a parameter`)
  }
  const text = button.text ?? type
  return {
    type,
    text,
    payload: type === 'QUICK_REPLY' ? (value ?? text) : null,
    url: button.url?.replace(VARIABLE, () => value ?? '') ?? null,
  }
}

function countMismatch(part: string, given: number, expected: number) {
  const found = `number of localizable_params (${given})`
  return refusal(
    132000,
    `${part}: ${found} does not match the expected number of params (${expected})`,
  )
}

function isWord(value: unknown, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word
}
