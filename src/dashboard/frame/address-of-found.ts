import type { NavigateOptions } from '@tanstack/react-router'
import type { FoundView } from '../../contract/dashboard/search.ts'

/** Returns the page that shows a search result. An event has no page, so the log of its deliveries is opened. */
export function addressOfFound(
  { kind, id }: Pick<FoundView, 'kind' | 'id'>,
  company: string,
): NavigateOptions {
  switch (kind) {
    case 'contact':
      return { to: '/p/$company/contacts/$contact', params: { company, contact: id } }
    case 'conversation':
      return { to: '/p/$company/inbox/$conversation', params: { company, conversation: id } }
    case 'appointment':
      return { to: '/p/$company/appointments/$appointment', params: { company, appointment: id } }
    case 'flow':
      return { to: '/p/$company/flows/$flowId', params: { company, flowId: id } }
    case 'run':
      return { to: '/p/$company/runs/$run', params: { company, run: id } }
    case 'event':
      return { to: '/p/$company/webhooks/deliveries', params: { company }, search: { q: id } }
    case 'delivery':
      return { to: '/p/$company/webhooks/deliveries/$delivery', params: { company, delivery: id } }
  }
}
