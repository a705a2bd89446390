import { useQuery } from '@tanstack/react-query'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'

const MOST = '100'

export function useChannels() {
  const companyId = useCompanyId()
  return useQuery({
    queryKey: ['channels', companyId],
    queryFn: async () =>
      (
        await ask(
          api.companies[':companyId'].channels.$get({
            param: { companyId },
            query: { limit: MOST },
          }),
        )
      ).items,
  })
}
