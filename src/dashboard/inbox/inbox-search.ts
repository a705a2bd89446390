import { oneIn, textIn, type RawSearch } from '../app/search-params.ts'
import { HANDOVER_REASONS, type HandoverReason } from '../../core/vocabulary/inbox.ts'

/** The tabs of the inbox, in order. */
export const TABS = ['mine', 'unassigned', 'assistant', 'open', 'resolved'] as const
export type Tab = (typeof TABS)[number]
/** The orders of the list of conversations. */
export const SORTS = ['waiting', 'closing', 'newest'] as const
export type Sort = (typeof SORTS)[number]

/** The choices of the filter by the minimum waiting time, in minutes. */
export const WAITING = ['15', '60', '240', '1440'] as const
/** The choices of the filter by the maximum time until the service window closes, in minutes. */
export const CLOSING = ['60', '120', '240'] as const

/** The filters and the order of the inbox, which are part of the URL. */
export type InboxSearch = {
  tab?: Tab
  sort?: Sort
  reason?: HandoverReason
  channel?: string
  waiting?: (typeof WAITING)[number]
  closing?: (typeof CLOSING)[number]
  q?: string
}

/** Returns the filters and the order of the inbox from the search parameters of the URL. */
export function readInboxSearch(raw: RawSearch): InboxSearch {
  const text = (name: string) => ({ ...raw, [name]: textIn(raw, name) })
  const read = {
    tab: oneIn(raw, 'tab', TABS),
    sort: oneIn(raw, 'sort', SORTS),
    reason: oneIn(raw, 'reason', HANDOVER_REASONS),
    channel: textIn(raw, 'channel'),
    // The router parses digits in a URL as numbers.
    waiting: oneIn(text('waiting'), 'waiting', WAITING),
    closing: oneIn(text('closing'), 'closing', CLOSING),
    q: textIn(raw, 'q'),
  }
  // An unknown value becomes undefined; a missing name would make the router keep the raw value.
  return read as InboxSearch
}

/** Returns the open tab of the inbox, which is the unassigned conversations by default. */
export const tabOf = ({ tab }: InboxSearch): Tab => tab ?? 'unassigned'

/** Returns the order of a tab, with the tab's default if the URL names none. */
export const sortOf = (search: InboxSearch): Sort =>
  search.sort ?? (['mine', 'unassigned'].includes(tabOf(search)) ? 'waiting' : 'newest')

/** Returns whether the list has a filter in addition to its tab. */
export function isNarrowed({ reason, channel, waiting, closing, q }: InboxSearch): boolean {
  return [reason, channel, waiting, closing, q].some((value) => value !== undefined)
}
