import { queryOptions } from '@tanstack/react-query'
import { DELIVERY_LIMITS, HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { type Api } from '../app/resources.ts'

/** The interval at which an endpoint's figures are read again: a busy endpoint changes many times a second. */
export const FIGURES_EVERY_MS = 5_000

/** Returns the query of all endpoints of the company, whose number is limited. */
export function endpointsQuery(api: Api) {
  return api.items('endpoints', { limit: DELIVERY_LIMITS.endpointsPerCompany })
}

/** Returns the query of an endpoint's health in the last `hours` hours. */
export function healthQuery(api: Api, endpointId: string, hours: number) {
  return api.get('endpoints/:endpointId/health', {
    endpointId,
    hours: Math.min(hours, HEALTH_GRAPH.maxHours),
  })
}

/** The interval at which a running job is read: its deliveries change faster than the stream reports. */
const JOB_EVERY_MS = 1_000

/** Returns the query of one resend job, which is repeated while the job is running. */
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
