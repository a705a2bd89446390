import { queryOptions } from '@tanstack/react-query'
import type { EndpointState } from '../../core/vocabulary/deliveries.ts'
import { type Api } from '../app/resources.ts'

const FAILING_EVERY_MS = 60_000

const FAILING: readonly EndpointState[] = ['failing', 'off_failures', 'off_gone']

/** Returns the query for the number of endpoints that fail or were switched off after failures. */
export const failingEndpointsQuery = (api: Api) =>
  queryOptions({
    ...api.get('endpoints', { limit: 100 }),
    select: ({ items }) => items.filter(({ state }) => FAILING.includes(state)).length,
    refetchInterval: FAILING_EVERY_MS,
  })
