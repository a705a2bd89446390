import { useQuery } from '@tanstack/react-query'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { useMay } from '../app/session.ts'

/** Appointments that the clocks have moved; only who sets up is told. */
export function useShifted() {
  const companyId = useCompanyId()
  const may = useMay()
  return useQuery({
    queryKey: ['appointments', companyId, 'shifted'],
    enabled: may.setUp,
    queryFn: async () =>
      (await ask(api.companies[':companyId'].appointments.shifted.$get({ param: { companyId } })))
        .items,
  })
}

/** Those that are to come and that somebody keeps outside of their hours; only who sets up is told. */
export function useOutside() {
  const companyId = useCompanyId()
  const may = useMay()
  return useQuery({
    queryKey: ['appointments', companyId, 'outside'],
    enabled: may.setUp,
    queryFn: async () =>
      (
        await ask(
          api.companies[':companyId'].appointments['outside-hours'].$get({ param: { companyId } }),
        )
      ).items,
  })
}

export function useShiftedCount(): number {
  return useShifted().data?.length ?? 0
}

export function useOutsideCount(): number {
  return useOutside().data?.length ?? 0
}
