import { field, object, peekNames } from '../provider/peek-names.ts'

/** The page of an entry; of a test event, whom its item is to. */
const VALUE = object(field('recipient', object(field('id', { names: 'routes' }))))
const ENTRY = object(
  field('id', { names: 'routes' }),
  field('changes', object(field('value', VALUE))),
)
const ROOT = object(field('entry', ENTRY))

/** Which pages or accounts a webhook of Messenger or Instagram names. */
export const peekPages = (body: Uint8Array) => peekNames(ROOT, body)
