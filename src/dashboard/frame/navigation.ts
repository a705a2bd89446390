import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../parts/icons.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import type { appWords } from './words.ts'

/** The names of pages and groups, which are texts without values. */
type Texts = (typeof appWords)['en']
type Word = {
  [Key in keyof Texts]: Texts[Key] extends `${string}{${string}` | object ? never : Key
}[keyof Texts]

/** A link of the navigation. */
export type NavigationItem = {
  word: Word
  icon: IconName
  to: NonNullable<LinkProps['to']>
  /** The roles whose members see the item. */
  roles: readonly Role[]
}

const ALL_ROLES = ['owner', 'admin', 'agent'] as const
const SET_UP = ['owner', 'admin'] as const

/** The pages of a company by group, in the order of the side bar. */
export const NAVIGATION: readonly { word: Word | null; items: readonly NavigationItem[] }[] = [
  { word: null, items: [{ word: 'home', icon: 'home', to: '/p/$company', roles: ALL_ROLES }] },
  {
    word: 'work',
    items: [
      { word: 'inbox', icon: 'inbox', to: '/p/$company/inbox', roles: ALL_ROLES },
      { word: 'contacts', icon: 'contacts', to: '/p/$company/contacts', roles: ALL_ROLES },
      { word: 'appointments', icon: 'calendar', to: '/p/$company/appointments', roles: ALL_ROLES },
      { word: 'leads', icon: 'target', to: '/p/$company/leads', roles: ALL_ROLES },
    ],
  },
  {
    word: 'automate',
    items: [
      { word: 'flows', icon: 'flow', to: '/p/$company/flows', roles: ALL_ROLES },
      { word: 'runs', icon: 'runs', to: '/p/$company/runs', roles: SET_UP },
      { word: 'broadcasts', icon: 'megaphone', to: '/p/$company/broadcasts', roles: SET_UP },
      { word: 'assistant', icon: 'sparkles', to: '/p/$company/assistant', roles: ALL_ROLES },
      { word: 'templates', icon: 'template', to: '/p/$company/templates', roles: SET_UP },
    ],
  },
  {
    word: 'integrate',
    items: [
      { word: 'webhooks', icon: 'webhook', to: '/p/$company/webhooks', roles: SET_UP },
      { word: 'connections', icon: 'plug', to: '/p/$company/connections', roles: SET_UP },
      { word: 'actions', icon: 'bolt', to: '/p/$company/actions', roles: SET_UP },
      {
        word: 'developer_tools',
        icon: 'code',
        to: '/p/$company/developer-tools',
        roles: SET_UP,
      },
    ],
  },
  {
    word: 'account',
    items: [
      { word: 'usage', icon: 'gauge', to: '/p/$company/usage', roles: SET_UP },
      { word: 'team', icon: 'team', to: '/p/$company/team', roles: SET_UP },
      { word: 'audit', icon: 'history', to: '/p/$company/audit', roles: SET_UP },
      { word: 'plan', icon: 'plan', to: '/p/$company/plan', roles: SET_UP },
      { word: 'settings', icon: 'gear', to: '/p/$company/settings', roles: SET_UP },
      { word: 'channels', icon: 'channels', to: '/p/$company/channels', roles: SET_UP },
    ],
  },
]

/** The pages in the bottom bar of a phone; the others are under More. */
export const ON_PHONES: readonly Word[] = ['inbox', 'appointments', 'contacts']
