import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { searchReader } from '../app/search-params.ts'

/** The tools for developers, one per tab, in order. */
export const TOOLS = ['signature', 'path', 'phone', 'events', 'vectors'] as const

/** Reads the valid search parameters of the developer tools. `value` is the initial text of the phone tester. */
export const readToolSearch = searchReader({ tool: TOOLS, type: EVENT_TYPES, value: 'text' })
