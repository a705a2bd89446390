import { searchReader } from '../app/search-params.ts'

/** The filters of the list of contacts, as the URL contains them. */
export type ContactSearch = ReturnType<typeof readContactSearch>

export const readContactSearch = searchReader({
  q: 'text',
  tag: 'text',
  messages: ['accepted', 'stopped'],
  /** The segment whose contacts are shown. */
  segment: 'text',
})
