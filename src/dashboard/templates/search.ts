import { searchReader } from '../app/search-params.ts'

export const readTemplateSearch = searchReader({
  channel: 'text',
  status: 'text',
  language: 'text',
  name: 'text',
  /** The open template. */
  open: 'text',
})
