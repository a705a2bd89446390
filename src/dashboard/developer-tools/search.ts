import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { searchReader } from '../app/search-params.ts'

export const TOOLS = ['signature', 'path', 'phone', 'events', 'vectors'] as const

/** `value`: what the phone tester begins with. */
export const readToolSearch = searchReader({ tool: TOOLS, type: EVENT_TYPES, value: 'text' })
