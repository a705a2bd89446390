import { page } from '../frame/routes.tsx'
import { readContactSearch } from './search.ts'

export const contactsRoutes = [
  page('contacts', () => import('./Contacts.tsx'), 'Contacts', readContactSearch),
  page('contacts/settings', () => import('./ContactSettings.tsx'), 'ContactSettings'),
  page('contacts/duplicates', () => import('./Duplicates.tsx'), 'Duplicates'),
  page('contacts/imports', () => import('./imports/Imports.tsx'), 'Imports'),
  page('contacts/imports/$import', () => import('./imports/Import.tsx'), 'Import'),
  page('contacts/$contact', () => import('./Contact.tsx'), 'Contact'),
] as const
