import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { useWords } from '../words/use-words.tsx'
import { readFilter } from './log-search.ts'
import { type LogSearch } from './log-search-params.ts'
import { logWords } from './words-log.ts'

const COUNTED_EVERY_MS = 10_000

/** The total number of deliveries, counted up to a limit. */
export function DeliveryTotal({ search }: { search: LogSearch }) {
  const t = useWords(logWords)
  const api = useApi()
  const total = useQuery({
    ...api.made('deliveries/count', search, async () => {
      const asked = await readFilter(api, search)
      if (asked === null) return { count: 0, isMore: false }
      return api.read('deliveries/count', asked)
    }),
    refetchInterval: COUNTED_EVERY_MS,
  }).data
  if (!total) return null
  return total.isMore ? t('total_least', { n: total.count }) : t('total', { n: total.count })
}
