import { randomInt } from 'node:crypto'
import { templateKey } from './book.ts'
import type { Book } from './book.ts'
import { GraphError, invalidParameter } from '../graph-error.ts'
import type { GraphComponent, GraphTemplate } from './graph-template.ts'

const PAGE = 25
const MAX_PAGE = 100
const CATEGORIES = new Set(['AUTHENTICATION', 'MARKETING', 'UTILITY'])
const FILTERS = ['name', 'status', 'language', 'category'] as const

/** Finds a template of an account by name and language. */
export function findTemplate(
  book: Book,
  businessAccountId: string,
  wanted: { name: string; language: string },
): GraphTemplate | undefined {
  return book.templates.get(templateKey(businessAccountId, wanted))?.template
}

/** Returns one page of an account's templates, as `GET /{account}/message_templates` does. */
export function pageTemplates(
  book: Book,
  businessAccountId: string,
  url: URL,
): Record<string, unknown> {
  const query = url.searchParams
  const all = [...book.templates.values()]
    .filter((kept) => kept.businessAccountId === businessAccountId)
    .map(({ template }) => template)
    .filter((template) => FILTERS.every((key) => isAsked(query, key, template[key])))
  const limit = Math.min(Math.max(Number(query.get('limit') ?? PAGE) || PAGE, 1), MAX_PAGE)
  const before = readCursor(query.get('before'))
  const after = readCursor(query.get('after'))
  const start = before === null ? (after ?? -1) + 1 : Math.max(before - limit, 0)
  const page = all.slice(start, before === null ? start + limit : before)
  if (page.length === 0) {
    return { data: [] }
  }
  const last = start + page.length - 1
  const next = new URL(url)
  next.searchParams.delete('before')
  next.searchParams.set('after', writeCursor(last))
  return {
    data: page.map((template) => pickFields(template, query.get('fields'))),
    paging: {
      cursors: { before: writeCursor(start), after: writeCursor(last) },
      ...(last + 1 < all.length ? { next: next.href } : {}),
    },
  }
}

/** Returns the fields in `fields`, and always the id. Without `fields` it returns all. */
export function pickFields(
  value: Record<string, unknown>,
  fields: string | null,
): Record<string, unknown> {
  if (fields === null || fields.trim() === '') {
    return value
  }
  const names = fields.split(',').map((name) => name.trim())
  const picked = names.filter((name) => value[name] !== undefined)
  return Object.fromEntries([...picked, 'id'].map((name) => [name, value[name]]))
}

/**
 * Reads a template to create, which is not approved yet.
 * @throws GraphError if a field is missing or the template exists.
 */
export function readNewTemplate(
  book: Book,
  businessAccountId: string,
  body: Record<string, unknown>,
): GraphTemplate {
  const { name, language, category, components, parameter_format: format } = body
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw invalidParameter('Param name must be in lower case letters, digits and underscores.')
  }
  if (typeof language !== 'string' || !/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language)) {
    throw invalidParameter('The parameter language is required.')
  }
  if (typeof category !== 'string' || !CATEGORIES.has(category.toUpperCase())) {
    throw invalidParameter(`Param category must be one of {${[...CATEGORIES].join(', ')}}`)
  }
  const read = Array.isArray(components) ? components.map(readComponent) : []
  if (!read.some(({ type }) => type === 'BODY')) {
    throw invalidParameter('The parameter components must contain a BODY.')
  }
  if (findTemplate(book, businessAccountId, { name, language })) {
    throw new GraphError(400, 100, {
      message: 'Invalid parameter',
      type: 'OAuthException',
      code: 100,
      error_subcode: 2388024,
      error_user_title: 'Content in this language already exists',
      error_user_msg: 'There is already content in this language for this template.',
    })
  }
  return {
    id: String(randomInt(10 ** 14, 2 ** 47)),
    name,
    language,
    status: 'PENDING',
    category: category.toUpperCase(),
    parameter_format: String(format).toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: read,
  }
}

function readComponent(value: unknown): GraphComponent {
  const fields = typeof value === 'object' && value !== null ? value : {}
  if (!('type' in fields) || typeof fields.type !== 'string') {
    throw invalidParameter('Each of the parameter components needs a type.')
  }
  return { ...(fields as GraphComponent), type: fields.type.toUpperCase() }
}

function isAsked(query: URLSearchParams, key: (typeof FILTERS)[number], value: string): boolean {
  const wanted = query.get(key)
  if (wanted === null || wanted === '') {
    return true
  }
  // A name matches partially, other values exactly. Some clients write a list with one item.
  const words = wanted.replace(/^\[|\]$|"/g, '').split(',')
  return key === 'name'
    ? value.includes(wanted)
    : words.some((word) => word.trim().toLowerCase() === value.toLowerCase())
}

function writeCursor(index: number): string {
  return Buffer.from(`template ${index}`).toString('base64')
}

function readCursor(cursor: string | null): number | null {
  const index = /^template (\d{1,6})$/.exec(Buffer.from(cursor ?? '', 'base64').toString())?.[1]
  if (cursor !== null && cursor !== '' && index === undefined) {
    throw invalidParameter('Invalid cursors values')
  }
  return index === undefined ? null : Number(index)
}
