import { z } from 'zod'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { formText } from '../../schemas/form-text.ts'

/** A phone in any form, an e-mail address, a name or a part of it, or an id as it is shown anywhere. */
export const SearchQuery = z.object({ text: formText(1, SEARCH_LIMITS.queryChars) })
export type SearchQuery = z.output<typeof SearchQuery>

/** One thing that the words mean. `title` and `subtitle` are what it is called by others, as they wrote it. */
export type FoundView =
  /** Its name; its phone, else its e-mail address. */
  | Found<'contact'>
  /** The customer's name; the beginning of its last message. */
  | Found<'conversation'>
  /** Its reference; its service. `at` is its start. */
  | Found<'appointment'>
  /** Its name. */
  | Found<'flow'>
  /** Its flow's name; its status. */
  | Found<'run'>
  /** Its type. */
  | Found<'event'>
  /** Its endpoint's name; its state. */
  | Found<'delivery'>

type Found<Kind extends string> = {
  kind: Kind
  /** As its route has it; of an event `evt_…`. */
  id: string
  title: string | null
  subtitle: string | null
  at: string | null
}

export type SearchView = {
  /** The best first, at most 12. */
  items: FoundView[]
  /** Too many contacts have such a name to be told in time: more letters find them. */
  isTooWide: boolean
}
