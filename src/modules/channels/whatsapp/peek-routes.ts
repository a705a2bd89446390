import { field, object, peekNames } from '../provider/peek-names.ts'

const VALUE = object(
  field('metadata', object(field('phone_number_id', { names: 'routes' }))),
  field('waba_info', object(field('waba_id', { names: 'accounts' }))),
)
const ENTRY = object(
  field('id', { names: 'accounts' }),
  field('changes', object(field('value', VALUE))),
)
const ROOT = object(field('entry', ENTRY))

/** Finds the ids of phone numbers and business accounts in an unverified WhatsApp webhook. */
export const peekRoutes = (body: Uint8Array) => peekNames(ROOT, body)
