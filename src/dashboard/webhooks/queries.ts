import { queryOptions } from '@tanstack/react-query'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { type Api } from '../app/resources.ts'

/** How often figures of an endpoint are read anew: a busy one changes many times a second. */
export const FIGURES_EVERY_MS = 5_000

/** Every endpoint of the company: there are few. */
export function endpointsQuery(api: Api) {
  return api.items('endpoints', { limit: DELIVERY_LIMITS.endpointsPerCompany })
}

export function healthQuery(api: Api, endpointId: string, hours: number) {
  return api.get('endpoints/:endpointId/health', {
    endpointId,
    hours: Math.min(hours, HEALTH_GRAPH.hoursMost),
  })
}

/** How often a job that is under way is looked at: its deliveries change faster than it is told. */
const JOB_EVERY_MS = 1_000

export function jobQuery(api: Api, jobId: string) {
  return queryOptions({
    ...api.get('resend-jobs/:jobId', { jobId }),
    refetchInterval: ({ state }) => {
      const job = state.data
      const isGoing = job?.state === 'running' || (job?.underWay.count ?? 0) > 0
      return isGoing ? JOB_EVERY_MS : false
    },
  })
}
