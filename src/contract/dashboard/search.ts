import { z } from 'zod'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { formText } from '../../schemas/form-text.ts'

/** A search for a phone in any form, an e-mail address, a part of a name, or an id in any displayed form. */
export const SearchQuery = z.object({ text: formText(1, SEARCH_LIMITS.queryChars) })
export type SearchQuery = z.output<typeof SearchQuery>

/** A search result. `title` and `subtitle` may contain texts of untrusted authors, unchanged. */
export type FoundView =
  /** The result has the name as title, and the phone or else the e-mail address as subtitle. */
  | Found<'contact'>
  /** The result has the customer's name as title, and the beginning of the last message as subtitle. */
  | Found<'conversation'>
  /** The result has the reference as title and the service as subtitle. `at` is the start. */
  | Found<'appointment'>
  /** The result has the name as title. */
  | Found<'flow'>
  /** The result has the flow's name as title and the status as subtitle. */
  | Found<'run'>
  /** The result has the type as title. */
  | Found<'event'>
  /** The result has the endpoint's name as title and the state as subtitle. */
  | Found<'delivery'>

type Found<Kind extends string> = {
  kind: Kind
  /** The id as in the entity's route; `evt_…` for an event. */
  id: string
  title: string | null
  subtitle: string | null
  at: string | null
}

export type SearchView = {
  /** The best first, at most 12. */
  items: FoundView[]
  /** Too many contacts have such a name to search them in time. A longer query finds them. */
  isTooWide: boolean
}
