import { type Api } from '../app/resources.ts'
import { sortOf, tabOf, type InboxSearch } from './inbox-search.ts'

const ROWS = 50
const LINES = 40

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

/** Newest first, a page at a time. */
export const timelineQuery = (api: Api, id: string) =>
  api.list('conversations/:conversationId/timeline', { conversationId: id, limit: LINES })

/** Whom a conversation can be assigned to and a note can name. */
export const peopleQuery = (api: Api) => ({ ...api.get('people'), staleTime: 60_000 })

export const channelNamesQuery = (api: Api) => ({
  ...api.get('conversations/channels'),
  staleTime: 60_000,
})

export const customerFieldsQuery = (api: Api) => ({
  ...api.get('contact-fields'),
  staleTime: 60_000,
})

/** The conversations of a customer, on whatever channel, newest first. */
export const elsewhereQuery = (api: Api, contactId: string) =>
  api.made('contacts/:contactId', { contactId }, async () => {
    const { items } = await api.read('contacts/:contactId/timeline', { contactId, limit: '50' })
    return items.filter((item) => item.kind === 'conversation')
  })

const PANEL_ROWS = '5'

export const customerRunsQuery = (api: Api, phone: string) =>
  api.get('runs', { phone, limit: PANEL_ROWS })

/** Those to come, the nearest first. @param from as ISO 8601 */
export const customerAppointmentsQuery = (api: Api, contactId: string, from: string) =>
  api.get('appointments', { contactId, from, limit: PANEL_ROWS })
