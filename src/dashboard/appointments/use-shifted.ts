import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'

/** Returns the query of the appointments that a change of the clocks moved. Only Owners and Admins can read them. */
export function useShifted() {
  const api = useApi()
  const may = useMay()
  return useQuery({ ...api.items('appointments/shifted'), enabled: may.setUp })
}

/**
 * Returns the query of the upcoming appointments outside of their resource's hours. Only Owners and Admins can read
 * them.
 */
export function useOutside() {
  const api = useApi()
  const may = useMay()
  return useQuery({ ...api.items('appointments/outside-hours'), enabled: may.setUp })
}

/** Returns how many appointments a change of the clocks moved; 0 until they are loaded. */
export function useShiftedCount(): number {
  return useShifted().data?.length ?? 0
}

/** Returns how many upcoming appointments are outside of their resource's hours; 0 until they are loaded. */
export function useOutsideCount(): number {
  return useOutside().data?.length ?? 0
}
