import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'

/** Returns the query of the appointments that a change of the clocks moved. Only Owners and Admins can read them. */
export function useShifted() {
  const { setUp } = useMay()
  return useInfiniteQuery({ ...useApi().list('appointments/shifted'), enabled: setUp })
}

/**
 * Returns the query of the upcoming appointments outside of their resource's hours. Only Owners and Admins can read
 * them.
 */
export function useOutside() {
  const { setUp } = useMay()
  return useInfiniteQuery({ ...useApi().list('appointments/outside-hours'), enabled: setUp })
}
