import { queryOptions } from '@tanstack/react-query'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../limits/deliveries.ts'
import { api, ask } from '../app/api.ts'

const company = api.companies[':companyId']

/** How often figures of an endpoint are read anew: a busy one changes many times a second. */
export const FIGURES_EVERY_MS = 5_000

/** Every endpoint of the company: there are few. */
export function endpointsQuery(companyId: string) {
  return queryOptions({
    queryKey: ['endpoints', companyId],
    queryFn: async () =>
      (
        await ask(
          company.endpoints.$get({
            param: { companyId },
            query: { limit: String(DELIVERY_LIMITS.endpointsPerCompany) },
          }),
        )
      ).items,
  })
}

export function endpointQuery(companyId: string, endpointId: string) {
  return queryOptions({
    queryKey: ['endpoint', companyId, endpointId],
    queryFn: () => ask(company.endpoints[':endpointId'].$get({ param: { companyId, endpointId } })),
  })
}

export function healthQuery(companyId: string, endpointId: string, hours: number) {
  return queryOptions({
    queryKey: ['endpoint', companyId, endpointId, 'health', hours],
    queryFn: () =>
      ask(
        company.endpoints[':endpointId'].health.$get({
          param: { companyId, endpointId },
          query: { hours: String(Math.min(hours, HEALTH_GRAPH.hoursMost)) },
        }),
      ),
  })
}

export function deliveryQuery(companyId: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['delivery', companyId, deliveryId],
    queryFn: () =>
      ask(company.deliveries[':deliveryId'].$get({ param: { companyId, deliveryId } })),
  })
}

/** How often a job that is under way is looked at: its deliveries change faster than it is told. */
const JOB_EVERY_MS = 1_000

export function jobQuery(companyId: string, jobId: string) {
  return queryOptions({
    queryKey: ['resend_jobs', companyId, jobId],
    queryFn: () => ask(company['resend-jobs'][':jobId'].$get({ param: { companyId, jobId } })),
    refetchInterval: ({ state }) => {
      const job = state.data
      const isGoing = job?.state === 'running' || (job?.underWay.count ?? 0) > 0
      return isGoing ? JOB_EVERY_MS : false
    },
  })
}
