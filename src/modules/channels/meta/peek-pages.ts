import { field, object, peekNames } from '../provider/peek-names.ts'

// The page of an entry; in a test event, the recipient of its item.
const VALUE = object(field('recipient', object(field('id', { names: 'routes' }))))
const ENTRY = object(
  field('id', { names: 'routes' }),
  field('changes', object(field('value', VALUE))),
)
const ROOT = object(field('entry', ENTRY))

/** Finds the ids of pages or accounts in an unverified webhook of Messenger or Instagram. */
export const peekPages = (body: Uint8Array) => peekNames(ROOT, body)
