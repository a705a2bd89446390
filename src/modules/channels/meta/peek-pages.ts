import { field, object, peekNames } from '../provider/peek-names.ts'

// The page of an entry; in a test event, the recipient of its item.
const VALUE = object(field('recipient', object(field('id', { names: 'routes' }))))
const ENTRY = object(
  field('id', { names: 'routes' }),
  field('changes', object(field('value', VALUE))),
)
const ROOT = object(field('entry', ENTRY))

/** Returns the pages or accounts that a webhook of Messenger or Instagram names. */
export const peekPages = (body: Uint8Array) => peekNames(ROOT, body)
