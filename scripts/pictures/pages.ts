import { CHANNEL_TYPES } from '../../src/core/vocabulary/channels.ts'
import type { SeededIds } from './seed-activity.ts'

/** A page of the dashboard that is pictured, with the page that its first row opens. */
export type Pictured = {
  name: string
  /** The path below the company. */
  path: string | ((ids: SeededIds) => string)
  /** True for a path from the root, outside of any company. */
  isAtRoot?: boolean
  /** The page that the list's first row opens, with its name and its path below the company. */
  first?: { name: string; at: string }
  /** Additional pages of the opened row: what is appended to its address, by the picture's name. */
  ofFirst?: Record<string, string>
  /** True when the API refuses the page's request, which the browser reports. */
  isRefused?: boolean
}

/** Pages before the sign-in, from the root. */
export const BEFORE_SIGN_IN: readonly Pictured[] = [
  { name: 'sign-in', path: 'sign-in', isAtRoot: true },
  { name: 'forgotten-password', path: 'forgotten-password', isAtRoot: true },
  {
    name: 'invitation',
    path: ({ invitationToken }) => `invitation#${invitationToken}`,
    isAtRoot: true,
  },
  { name: 'link-not-good', path: 'new-password#not-a-good-one', isAtRoot: true, isRefused: true },
  { name: 'set-up', path: 'set-up#the-token-that-the-start-printed', isAtRoot: true },
]

/** Pages after the sign-in. */
export const PAGES: readonly Pictured[] = [
  { name: 'home', path: '' },
  { name: 'inbox', path: 'inbox?tab=open' },
  { name: 'conversation', path: ({ conversation }) => `inbox/${conversation}?tab=open` },
  { name: 'contacts', path: 'contacts', first: { name: 'contact', at: 'contacts/$contact' } },
  { name: 'contact-settings', path: 'contacts/settings' },
  { name: 'duplicates', path: 'contacts/duplicates' },
  { name: 'imports', path: 'contacts/imports' },
  { name: 'import', path: (ids) => `contacts/imports/${ids.import}` },
  { name: 'appointments', path: 'appointments' },
  { name: 'appointments-day', path: 'appointments?view=day' },
  { name: 'appointments-list', path: 'appointments?view=list' },
  { name: 'appointments-shifted', path: 'appointments/shifted' },
  { name: 'appointments-outside-hours', path: 'appointments/outside-hours' },
  { name: 'appointment', path: (ids) => `appointments/${ids.appointment}` },
  { name: 'appointment-open', path: (ids) => `appointments?open=${ids.appointment}` },
  { name: 'booking-services', path: 'appointments/set-up' },
  { name: 'booking-people', path: 'appointments/set-up?tab=people' },
  { name: 'booking-changes', path: 'appointments/set-up?tab=changes' },
  { name: 'booking-page', path: 'appointments/set-up?tab=page' },
  { name: 'booking-calendars', path: 'appointments/set-up?tab=calendars' },
  { name: 'leads', path: 'leads' },
  { name: 'leads-table', path: 'leads?view=table' },
  { name: 'lead', path: ({ lead }) => `leads?lead=${lead}` },
  {
    name: 'flows',
    path: 'flows',
    first: { name: 'flow', at: 'flows/$flowId' },
    ofFirst: { 'flow-list': '?view=list', 'flow-versions': '?versions=true', hook: '/hook' },
  },
  { name: 'runs', path: 'runs', first: { name: 'run', at: 'runs/$run' } },
  {
    name: 'broadcasts',
    path: 'broadcasts',
    first: { name: 'broadcast', at: 'broadcasts/$broadcast' },
  },
  { name: 'new-broadcast', path: 'broadcasts/new' },
  { name: 'assistant', path: 'assistant' },
  {
    name: 'knowledge',
    path: 'assistant/knowledge',
    first: { name: 'source', at: 'assistant/knowledge/$source' },
  },
  { name: 'source-failed', path: ({ failedSource }) => `assistant/knowledge/${failedSource}` },
  {
    name: 'models',
    path: 'assistant/models',
    first: { name: 'model', at: 'assistant/models/$model' },
  },
  { name: 'new-model', path: 'assistant/models/new' },
  {
    name: 'replies',
    path: 'assistant/replies',
    first: { name: 'reply', at: 'assistant/replies/$reply' },
  },
  { name: 'reply-agreed', path: (ids) => `assistant/replies/${ids.agreedReply}` },
  { name: 'reply-booked', path: (ids) => `assistant/replies/${ids.bookedReply}` },
  { name: 'try-assistant', path: 'assistant/try' },
  { name: 'templates', path: 'templates' },
  { name: 'template', path: (ids) => `templates?open=${ids.template}` },
  {
    name: 'webhooks',
    path: 'webhooks',
    first: { name: 'endpoint', at: 'webhooks/$endpoint' },
    ofFirst: {
      'endpoint-types': '?tab=event_types',
      'endpoint-secret': '?tab=secret',
      'endpoint-settings': '?tab=settings',
      'endpoint-history': '?tab=history',
      'endpoint-deliveries': '/deliveries',
    },
  },
  { name: 'new-endpoint', path: 'webhooks/new' },
  {
    name: 'deliveries',
    path: 'webhooks/deliveries',
    first: { name: 'delivery', at: 'webhooks/deliveries/$delivery' },
  },
  {
    name: 'failing',
    path: 'webhooks/deliveries?view=failed',
    first: { name: 'failing-delivery', at: 'webhooks/deliveries/$delivery' },
  },
  { name: 'jobs', path: 'webhooks/jobs', first: { name: 'job', at: 'webhooks/jobs/$job' } },
  {
    name: 'connections',
    path: 'connections',
    first: { name: 'connection', at: 'connections/$connection' },
  },
  { name: 'new-connection', path: 'connections/new' },
  { name: 'calls', path: 'connections/calls' },
  { name: 'actions', path: 'actions' },
  { name: 'action', path: ({ action }) => `actions/${action}` },
  { name: 'new-action', path: 'actions/new' },
  { name: 'signature-checker', path: 'developer-tools' },
  { name: 'path-tester', path: 'developer-tools?tool=path' },
  { name: 'phone-tester', path: 'developer-tools?tool=phone' },
  { name: 'events', path: 'developer-tools?tool=events' },
  { name: 'vectors', path: 'developer-tools?tool=vectors' },
  { name: 'usage', path: 'usage' },
  { name: 'team', path: 'team' },
  { name: 'audit', path: 'audit' },
  { name: 'plan', path: 'plan' },
  { name: 'settings', path: 'settings' },
  { name: 'channels', path: 'channels' },
  ...CHANNEL_TYPES.map((type) => ({
    name: `channel-${type}`,
    path: (ids: SeededIds) => `channels/${ids.channelOf[type]}`,
  })),
  { name: 'connect-channel', path: 'channels/connect' },
  ...CHANNEL_TYPES.map((type) => ({ name: `connect-${type}`, path: `channels/connect/${type}` })),
  { name: 'profile', path: 'profile' },
  { name: 'second-factor', path: 'second-factor', isAtRoot: true },
]

/** Returns the names of all pictures of a page. */
export function namesOf({ name, first, ofFirst = {} }: Pictured): string[] {
  return [name, ...(first === undefined ? [] : [first.name]), ...Object.keys(ofFirst)]
}
