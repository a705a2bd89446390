import { type Api } from '../app/resources.ts'
import { sortOf, tabOf, type InboxSearch } from './inbox-search.ts'

const ROWS = 50
const LINES = 40

/** Returns the query of the conversations that match the filters of the URL, in pages. */
export const listQuery = (api: Api, search: InboxSearch) =>
  api.list('conversations', {
    tab: tabOf(search),
    sort: sortOf(search),
    limit: ROWS,
    reason: search.reason,
    channelId: search.channel,
    waitingMinutes: search.waiting,
    closingMinutes: search.closing,
    q: search.q,
  })

/** Returns the query of a conversation's timeline, newest first, in pages. */
export const timelineQuery = (api: Api, id: string) =>
  api.list('conversations/:conversationId/timeline', { conversationId: id, limit: LINES })

/** Returns the query of the members who can be assigned or mentioned. */
export const peopleQuery = (api: Api) => ({ ...api.every('people'), staleTime: 60_000 })

/** Returns the query of the company's channels with their names, for filters. */
export const channelNamesQuery = (api: Api) => ({
  ...api.every('conversations/channels'),
  staleTime: 60_000,
})

/** Returns the query of the custom fields that the company has defined for contacts. */
export const customerFieldsQuery = (api: Api) => ({
  ...api.get('contact-fields'),
  staleTime: 60_000,
})

/** Returns the query of a customer's conversations on all channels, the open one included, newest first. */
export const customerConversationsQuery = (api: Api, contactId: string) =>
  api.combine('contacts/:contactId', { contactId }, async () => {
    const entries = await api.readEvery('contacts/:contactId/timeline', { contactId })
    return entries.filter((item) => item.kind === 'conversation')
  })

const PANEL_ROWS = '5'

/** Returns the query of the latest five runs of flows for a phone number. */
export const customerRunsQuery = (api: Api, phone: string) =>
  api.get('runs', { phone, limit: PANEL_ROWS })

/** Returns the query of a customer's next five appointments, the nearest first. @param from as ISO 8601 */
export const customerAppointmentsQuery = (api: Api, contactId: string, from: string) =>
  api.get('appointments', { contactId, from, limit: PANEL_ROWS })
