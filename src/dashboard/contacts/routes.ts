import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn } from '../app/search-params.ts'

const MESSAGES = ['accepted', 'stopped'] as const

export type ContactSearch = {
  q?: string
  tag?: string
  messages?: (typeof MESSAGES)[number]
  /** The segment whose contacts are shown. */
  segment?: string
}

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts',
  validateSearch: (raw: Record<string, unknown>): ContactSearch => {
    const q = textIn(raw, 'q')
    const tag = textIn(raw, 'tag')
    const messages = oneIn(raw, 'messages', MESSAGES)
    const segment = textIn(raw, 'segment')
    return {
      ...(q && { q }),
      ...(tag && { tag }),
      ...(messages && { messages }),
      ...(segment && { segment }),
    }
  },
  component: lazyRouteComponent(() => import('./Contacts.tsx'), 'Contacts'),
})

const settingsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts/settings',
  component: lazyRouteComponent(() => import('./ContactSettings.tsx'), 'ContactSettings'),
})

const duplicatesRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts/duplicates',
  component: lazyRouteComponent(() => import('./Duplicates.tsx'), 'Duplicates'),
})

const importsRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts/imports',
  component: lazyRouteComponent(() => import('./imports/Imports.tsx'), 'Imports'),
})

const importRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts/imports/$import',
  component: lazyRouteComponent(() => import('./imports/Import.tsx'), 'Import'),
})

const oneRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'contacts/$contact',
  component: lazyRouteComponent(() => import('./Contact.tsx'), 'Contact'),
})

export const contactsRoutes = [
  listRoute,
  settingsRoute,
  duplicatesRoute,
  importsRoute,
  importRoute,
  oneRoute,
] as const
