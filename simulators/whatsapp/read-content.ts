import type { Button, Content } from './book.ts'
import { invalidParameter, refusal } from '../graph-error.ts'
import { readFields, readList, readText } from '../json-fields.ts'
import type { Fields } from '../json-fields.ts'
import type { MediaRoutes } from './media-routes.ts'

const MEDIA = new Set(['audio', 'document', 'image', 'sticker', 'video'])
const OTHERS = ['contacts', 'interactive', 'location', 'reaction', 'template', 'text']
const TYPES = [...OTHERS, ...MEDIA].toSorted()
const TEXT_CHARS = 4_096
const REPLY_BUTTONS = 3
const REPLY_TITLE_CHARS = 20
const ROWS = 10
const ROW_ID_CHARS = 200
const ROW_TITLE_CHARS = 24

/**
 * Returns the type of a send; the default is `text`.
 * @throws GraphError for an unknown type.
 */
export function readType(body: Fields): string {
  const type = body.type ?? 'text'
  if (typeof type !== 'string' || !TYPES.includes(type)) {
    throw invalidParameter(`Param type must be one of {${TYPES.join(', ').toUpperCase()}}`)
  }
  if (body[type] === undefined) {
    throw invalidParameter(`The parameter ${type} is required.`)
  }
  return type
}

/**
 * Returns the content that the customer sees, for a message that is no template.
 * @throws GraphError if Meta would refuse it.
 */
export function readContent(type: string, body: Fields, media: MediaRoutes): Content {
  const fields = readFields(body[type])
  if (type === 'text') {
    return plain(readBody(fields.body))
  }
  if (MEDIA.has(type)) {
    const id = readText(fields.id)
    if (id !== null) media.requireSendable(type, id)
    if (id === null && readText(fields.link) === null) {
      throw invalidParameter(`The parameter ${type}['id'] or ${type}['link'] is required.`)
    }
    const caption = readText(fields.caption) ?? readText(fields.filename)
    return plain(caption === null ? `[${type}]` : `[${type}] ${caption}`)
  }
  if (type === 'location') {
    const place = readText(fields.name) ?? `${String(fields.latitude)}, ${String(fields.longitude)}`
    return plain(`[location] ${place}`)
  }
  if (type === 'interactive') {
    return readInteractive(fields)
  }
  return plain(type === 'reaction' ? (readText(fields.emoji) ?? '') : `[${type}]`)
}

function plain(text: string): Content {
  return { header: null, text, footer: null, buttons: [] }
}

function readBody(value: unknown): string {
  const text = readText(value)
  if (text === null || text.trim() === '') {
    throw invalidParameter("The parameter text['body'] is required.")
  }
  if ([...text].length > TEXT_CHARS) {
    throw invalidParameter(`Param text['body'] must be at most ${TEXT_CHARS} characters long.`)
  }
  return text
}

function readInteractive(fields: Fields): Content {
  const action = readFields(fields.action)
  const text = readText(readFields(fields.body).text)
  if (text === null) {
    throw invalidParameter("The parameter interactive['body'] is required.")
  }
  return {
    header: readText(readFields(fields.header).text),
    text,
    footer: readText(readFields(fields.footer).text),
    buttons: fields.type === 'list' ? readRows(action) : readReplyButtons(action),
  }
}

function readReplyButtons(action: Fields): Button[] {
  const buttons = readList(action.buttons).map((button) => readFields(button.reply))
  const isRight = buttons.every(
    ({ id, title }) =>
      readText(id) !== null && (readText(title)?.length ?? Infinity) <= REPLY_TITLE_CHARS,
  )
  if (!isRight || buttons.length > REPLY_BUTTONS) {
    throw refusal(131009, 'Button reply: an id and a title of at most 20 characters, 3 at most')
  }
  return buttons.map(({ id, title }) => tappable('REPLY', title, id))
}

function readRows(action: Fields): Button[] {
  const rows = readList(action.sections).flatMap((section) => readList(section.rows))
  const isRight = rows.every(
    ({ id, title }) =>
      (readText(id)?.length ?? Infinity) <= ROW_ID_CHARS &&
      (readText(title)?.length ?? Infinity) <= ROW_TITLE_CHARS,
  )
  const opens = readText(action.button)?.length ?? Infinity
  if (!isRight || rows.length > ROWS || opens > REPLY_TITLE_CHARS) {
    throw refusal(131009, 'List: rows with an id and a title of at most 24 characters, 10 at most')
  }
  return rows.map(({ id, title }) => tappable('LIST_ROW', title, id))
}

function tappable(type: string, title: unknown, id: unknown): Button {
  return { type, text: readText(title) ?? '', payload: readText(id), url: null }
}
