import { CALL_SOURCES } from '../../core/vocabulary/calls.ts'
import { searchReader } from '../app/search-params.ts'

/** The filters of the call log, as the URL contains them. */
export type CallSearch = ReturnType<typeof readCallSearch>

export const readCallSearch = searchReader({
  connection: 'text',
  source: CALL_SOURCES,
  outcome: ['success', 'failed'],
  status: 'text',
  run: 'text',
  action: 'text',
})
