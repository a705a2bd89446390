import { searchReader } from '../app/search-params.ts'

export type ContactSearch = ReturnType<typeof readContactSearch>

export const readContactSearch = searchReader({
  q: 'text',
  tag: 'text',
  messages: ['accepted', 'stopped'],
  /** The segment whose contacts are shown. */
  segment: 'text',
})
