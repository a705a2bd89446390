import { RUN_STATUSES } from '../../core/vocabulary/flows.ts'
import { searchReader } from '../app/search-params.ts'

export const readRunSearch = searchReader({ status: RUN_STATUSES, flow: 'text', customer: 'text' })
