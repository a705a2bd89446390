import type { NavigateOptions } from '@tanstack/react-router'
import type { FoundView } from '../../contract/dashboard/search.ts'

/** The page that shows it; null where there is none yet. */
export function addressOfFound(
  { kind, id }: Pick<FoundView, 'kind' | 'id'>,
  company: string,
): NavigateOptions | null {
  switch (kind) {
    case 'run':
      return { to: '/p/$company/runs/$run', params: { company, run: id } }
    default:
      return null
  }
}
