import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { useMay } from '../app/session.ts'

/** Appointments that the clocks have moved; only who sets up is told. */
export function useShifted() {
  const api = useApi()
  const may = useMay()
  return useQuery({ ...api.items('appointments/shifted'), enabled: may.setUp })
}

/** Those that are to come and that somebody keeps outside of their hours; only who sets up is told. */
export function useOutside() {
  const api = useApi()
  const may = useMay()
  return useQuery({ ...api.items('appointments/outside-hours'), enabled: may.setUp })
}

export function useShiftedCount(): number {
  return useShifted().data?.length ?? 0
}

export function useOutsideCount(): number {
  return useOutside().data?.length ?? 0
}
